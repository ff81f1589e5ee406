<?php

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;

/**
 * Takes ranges of the generator named as the table, for each connection to a server its own; a rollback
 * does not bring them back.
 */
class HiloGenerator extends AbstractIdGenerator
{
    private ?WeakMap $ranges = null;

    public function generateId(EntityManagerInterface $em, $entity): int
    {
        $this->ranges ??= new WeakMap();
        $connection = $em->getConnection();
        $native = $connection->getNativeConnection();
        [$next, $high] = $this->ranges[$native] ?? [1, 0];
        if ($next > $high) {
            [$next, $high] = $connection->fetchNumeric(
                'SELECT low, high FROM hilo_next_range(?)', [$em->getClassMetadata($entity::class)->getTableName()]);
        }
        $this->ranges[$native] = [$next + 1, $high];
        return $next;
    }
}
