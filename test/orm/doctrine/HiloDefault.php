<?php

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;

/** Takes the id of a row as the default of its table does, a parent's if there is one. */
class HiloDefault extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): int
    {
        $root = $em->getClassMetadata($em->getClassMetadata($entity::class)->rootEntityName);
        $table = $em->getConfiguration()->getQuoteStrategy()->getTableName($root, $em->getConnection()->getDatabasePlatform());
        return $em->getConnection()->fetchOne('SELECT hilo_next(?)', [$table]);
    }
}
