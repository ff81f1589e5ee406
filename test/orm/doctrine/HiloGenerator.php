<?php

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;

/**
 * Takes ranges of the table, a parent's if there is one, for each connection to a
 * server its own; a rollback does not bring them back.
 */
class HiloGenerator extends AbstractIdGenerator
{
    private array $ranges = [];

    public function generateId(EntityManagerInterface $em, $entity): int
    {
        $root = $em->getClassMetadata($em->getClassMetadata($entity::class)->rootEntityName);
        $table = $em->getConfiguration()->getQuoteStrategy()->getTableName($root, $em->getConnection()->getDatabasePlatform());
        $ranges = $this->ranges[$table] ??= new WeakMap();
        $connection = $em->getConnection();
        $native = $connection->getNativeConnection();
        [$next, $high] = $ranges[$native] ?? [1, 0];
        if ($next > $high) {
            [$next, $high] = $connection->fetchNumeric('SELECT low, high FROM hilo_next_range(?)', [$table]);
        }
        $ranges[$native] = [$next + 1, $high];
        return $next;
    }
}
