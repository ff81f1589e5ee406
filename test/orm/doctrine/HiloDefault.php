<?php

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;

/** Reads the id that the default of the column, a parent's if there is one, has just taken from the generator named as the table. */
class HiloDefault extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): int
    {
        $table = $em->getClassMetadata($em->getClassMetadata($entity::class)->rootEntityName)->getTableName();
        return $em->getConnection()->fetchOne('SELECT hilo_current(?)', [$table]);
    }

    public function isPostInsertGenerator(): bool
    {
        return true;
    }
}
