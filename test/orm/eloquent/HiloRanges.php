<?php
trait HiloRanges
{
    private static int $next = 1, $high = 0;

    public function getIncrementing()
    {
        return false;
    }

    protected static function bootHiloRanges()
    {
        static::creating(function ($model) {
            if (self::$next > self::$high) {
                $range = $model->getConnection()->selectOne(
                    'SELECT low, high FROM hilo_next_range(?)', [$model->getTable()]);
                [self::$next, self::$high] = [$range->low, $range->high];
            }
            $model->id = self::$next++;
        });
    }
}
