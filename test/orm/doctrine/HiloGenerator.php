<?php

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;

/** Takes ranges of the generator named as the table; a rollback does not bring them back. */
class HiloGenerator extends AbstractIdGenerator
{
    private int $next = 1, $high = 0;

    public function generateId(EntityManagerInterface $em, $entity): int
    {
        if ($this->next > $this->high) {
            [$this->next, $this->high] = $em->getConnection()->fetchNumeric(
                'SELECT low, high FROM hilo_next_range(?)', [$em->getClassMetadata($entity::class)->getTableName()]);
        }
        return $this->next++;
    }
}
