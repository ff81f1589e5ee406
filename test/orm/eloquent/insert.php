<?php
// insert.php WRITER ROWS TABLE...: inserts rows through Eloquent, and prints the ids it has.
// insert.php create: makes the tables.  insert.php fresh DATABASE: makes tables, twice, with
// what migrate:fresh does in between.
// insert.php given ID: inserts a row that has its id.  insert.php numbers: saves invoices.
// insert.php fork|databases|models|failed|moved|short ROWS TABLE...: inserts rows in a case of OrmTest.

use Illuminate\Database\Capsule\Manager as DB;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Events\Dispatcher;

require 'Illuminate/Database/autoload.php';
require 'Illuminate/Events/autoload.php';
require 'HiloRanges.php';

const BATCH = 20; // a transaction

class ByDefault extends Model
{
    protected $table = 'by_default';
    public $timestamps = false;
    protected $guarded = [];
}

class ById extends Model
{
    protected $table = 'by_id';
    public $timestamps = false;
    protected $guarded = [];
}

abstract class Ranged extends Model
{
    use HiloRanges;

    public $timestamps = false;
    protected $guarded = [];
}

class ByRange extends Ranged
{
    protected $table = 'by_range';
}

class ByOther extends Ranged
{
    protected $table = 'apart.by_range';
}

class Invoice extends Model
{
    public $timestamps = false;
    protected $guarded = ['number'];

    protected static function booted()
    {
        static::saved(fn ($invoice) => $invoice->refresh());
    }
}

const MODELS = [
    'by_default' => ByDefault::class, 'by_id' => ById::class, 'by_range' => ByRange::class, 'apart.by_range' => ByOther::class,
];

function open(string $database): void
{
    $manager = new DB();
    foreach (['default' => $database, 'other' => 'other'] as $name => $database) {
        $manager->addConnection([
            'driver' => 'pgsql', 'host' => getenv('ORM_HOST'), 'port' => getenv('ORM_PORT'), 'username' => 'postgres',
            'database' => $database, 'charset' => 'utf8', 'schema' => 'public'], $name);
    }
    $manager->setEventDispatcher(new Dispatcher());
    $manager->setAsGlobal();
    $manager->bootEloquent();
}

function create(): void
{
    foreach (['by_default', 'by_range'] as $name) {
        DB::schema()->create($name, function ($table) use ($name) {
            $table->bigInteger('id')->primary()->default(DB::raw("hilo_next('$name')"));
            $table->text('writer');
        });
    }
    DB::schema()->create('by_id', function ($table) {
        $table->id();
        $table->text('writer');
    });
    DB::statement("SELECT hilo_attach('by_id', 'id')");
}

function insert(string $model, string $writer): array
{
    return array_map(fn () => $model::create(['writer' => $writer])->id, range(1, BATCH));
}

function insert_one(string $table, string $writer, string $connection = 'default'): void
{
    $row = DB::connection($connection)->transaction(fn () => MODELS[$table]::on($connection)->create(['writer' => $writer]));
    fwrite(STDOUT, "$table $row->id\n");
}

/** Has children work at once; the connection stays with none of them. */
function fork(int $children, callable $work): void
{
    DB::connection()->disconnect();
    for ($child = 0; $child < $children; $child++) {
        if (pcntl_fork() === 0) {
            $work();
            exit(0);
        }
    }
    while (pcntl_wait($status) > 0) {
        $status === 0 or exit(1);
    }
}

const CASES = ['fork' => 'forked', 'databases' => 'databases', 'failed' => 'again', 'moved' => 'again', 'short' => 'short'];

function forked(string $table, int $rows): void
{
    insert_one($table, 'program-fork');
    fork(2, fn () => array_map(fn () => insert_one($table, 'program-fork'), range(1, $rows)));
}

function databases(string $table, int $rows): void
{
    for ($row = 0; $row < $rows; $row++) {
        insert_one($table, 'program-databases', ['default', 'other'][$row % 2]);
    }
}

function models(array $tables, int $rows): void
{
    for ($row = 0; $row < $rows; $row++) {
        insert_one($tables[$row % count($tables)], 'program-models');
    }
}

/** Inserts rows, and tries again where it fails, as the next request does. */
function again(string $table, int $rows, string $case): void
{
    for ($try = 2 * $rows; $rows > 0 && $try > 0; $try--) {
        try {
            insert_one($table, "program-$case");
            $rows--;
        } catch (Throwable $error) {
            fwrite(STDOUT, "failed {$error->getMessage()}\n");
            DB::connection()->disconnect();
        }
    }
}

function short(string $table, int $rows): void
{
    for ($row = 0; $row < $rows; $row++) {
        fork(1, fn () => insert_one($table, 'program-short'));
    }
}

function numbers(): void
{
    $invoice = Invoice::create(['customer' => 7, 'state' => 'posted', 'total' => 10]);
    echo "$invoice->number\n";
    $invoice->update(['total' => 20]);
    echo "$invoice->number\n";
    $invoice = Invoice::create(['customer' => 7, 'state' => 'draft', 'total' => 10]);
    $invoice->update(['state' => 'posted']);
    echo "$invoice->number\n";
    $invoice->update(['total' => 20]);
    echo "$invoice->number\n";
}

error_reporting(E_ALL & ~E_DEPRECATED);
if ($argv[1] === 'fresh') {
    open($argv[2]);
    foreach ([1, 2] as $run) {
        create();
        foreach ([ByDefault::class, ById::class, ByRange::class] as $model) {
            insert($model, 'fresh');
        }
        if ($run === 1) {
            DB::schema()->dropAllViews();
            DB::schema()->dropAllTables();
            DB::schema()->dropAllTypes();
        }
    }
    exit;
}
open('postgres');
if ($argv[1] === 'create') {
    create();
    exit;
}
if ($argv[1] === 'given') {
    $row = ByRange::create(['id' => $argv[2], 'writer' => 'given']);
    echo "by_range $row->id\n";
    exit;
}
if ($argv[1] === 'numbers') {
    numbers();
    exit;
}
[, $writer, $rows] = $argv;
if ($writer === 'models') {
    models(array_slice($argv, 3), $rows);
    exit;
}
if (isset(CASES[$writer])) {
    CASES[$writer]($argv[3], $rows, $writer);
    exit;
}
foreach (array_slice($argv, 3) as $table) {
    for ($row = 0; $row < $rows; $row += BATCH) {
        DB::connection()->beginTransaction();
        insert(MODELS[$table], $writer);
        DB::connection()->rollBack();
        $ids = DB::connection()->transaction(fn () => insert(MODELS[$table], $writer));
        foreach ($ids as $id) {
            echo "$table $id\n";
        }
    }
}
