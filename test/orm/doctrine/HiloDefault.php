<?php

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;

/** Reads the id that the default of the column has just taken from the generator named as the table. */
class HiloDefault extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): int
    {
        return $em->getConnection()->fetchOne(
            'SELECT hilo_current(?)', [$em->getClassMetadata($entity::class)->getTableName()]);
    }

    public function isPostInsertGenerator(): bool
    {
        return true;
    }
}
