<?php
/** Takes ids from ranges, of each table and connection to a server its own; a rollback does not bring them back. */
trait HiloRanges
{
    private static array $ranges = [];

    protected static function bootHiloRanges()
    {
        static::creating(function ($model) {
            if (isset($model->id)) {
                return;
            }
            $ranges = self::$ranges[$model->getTable()] ??= new WeakMap();
            $connection = $model->getConnection();
            [$next, $high] = $ranges[$connection->getPdo() ?? $connection] ?? [1, 0];
            if ($next > $high) {
                [$range] = $connection->selectFromWriteConnection(
                    'SELECT low, high FROM hilo_next_range(hilo_generator_of(?, \'id\'))',
                    [$connection->getQueryGrammar()->wrapTable($model->getTable())]);
                [$next, $high] = [$range->low, $range->high];
            }
            $ranges[$connection->getPdo()] = [$next + 1, $high];
            $model->id = $next;
        });
    }
}
