<?php
trait HiloRanges
{
    private static array $ranges = [];

    protected static function bootHiloRanges()
    {
        static::creating(function ($model) {
            if (isset($model->id)) {
                return;
            }
            $connection = $model->getConnection();
            $table = $connection->getQueryGrammar()->wrapTable($model->getTable());
            $ranges = self::$ranges[$table] ??= new WeakMap();
            [$next, $high] = $ranges[$connection->getPdo() ?? $connection] ?? [1, 0];
            if ($next > $high) {
                [$range] = $connection->selectFromWriteConnection(
                    'SELECT low, high FROM hilo_next_range(?)', [$table]);
                [$next, $high] = [$range->low, $range->high];
            }
            $ranges[$connection->getPdo()] = [$next + 1, $high];
            $model->id = $next;
        });
    }
}
