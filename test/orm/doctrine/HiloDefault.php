<?php

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;

/** Reads the id that the default of the column, a parent's if there is one, has just taken. */
class HiloDefault extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): int
    {
        $root = $em->getClassMetadata($em->getClassMetadata($entity::class)->rootEntityName);
        $table = $em->getConfiguration()->getQuoteStrategy()->getTableName($root, $em->getConnection()->getDatabasePlatform());
        return $em->getConnection()->fetchOne('SELECT hilo_current(hilo_generator_of(?, \'id\'))', [$table]);
    }

    public function isPostInsertGenerator(): bool
    {
        return true;
    }
}
