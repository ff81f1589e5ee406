<?php

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;

/** Takes the id of a row from the generator in the default of the column, a parent's if there is one. */
class HiloDefault extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): int
    {
        $root = $em->getClassMetadata($em->getClassMetadata($entity::class)->rootEntityName);
        $table = $em->getConfiguration()->getQuoteStrategy()->getTableName($root, $em->getConnection()->getDatabasePlatform());
        return $em->getConnection()->fetchOne('SELECT hilo_next(?)', [$table]);
    }
}
