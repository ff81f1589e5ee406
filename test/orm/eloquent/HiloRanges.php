<?php
/** Takes ids from ranges, of each connection to a server its own; a rollback does not bring them back. */
trait HiloRanges
{
    private static ?WeakMap $ranges = null;

    public function getIncrementing()
    {
        return false;
    }

    protected static function bootHiloRanges()
    {
        self::$ranges ??= new WeakMap();
        static::creating(function ($model) {
            $connection = $model->getConnection();
            [$next, $high] = self::$ranges[$connection->getPdo() ?? $connection] ?? [1, 0];
            if ($next > $high) {
                [$range] = $connection->selectFromWriteConnection(
                    'SELECT low, high FROM hilo_next_range(?)', [$model->getTable()]);
                [$next, $high] = [$range->low, $range->high];
            }
            self::$ranges[$connection->getPdo()] = [$next + 1, $high];
            $model->id = $next;
        });
    }
}
