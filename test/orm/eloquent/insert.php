<?php
// insert.php WRITER ROWS TABLE...: inserts rows through Eloquent, and prints the ids it has.
// insert.php create: makes the tables.  insert.php fresh DATABASE: makes tables, twice, with
// what migrate:fresh does in between.
// insert.php numbers: saves invoices.

use Illuminate\Database\Capsule\Manager as DB;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Events\Dispatcher;

require 'Illuminate/Database/autoload.php';
require 'Illuminate/Events/autoload.php';

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

class ByIds extends Model
{
    protected $table = 'by_ids';
    public $timestamps = false;
    protected $guarded = [];
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

const MODELS = ['by_default' => ByDefault::class, 'by_id' => ById::class, 'by_ids' => ByIds::class];

function open(string $database): void
{
    $manager = new DB();
    $manager->addConnection([
        'driver' => 'pgsql', 'host' => getenv('ORM_HOST'), 'port' => getenv('ORM_PORT'), 'username' => 'postgres',
        'database' => $database, 'charset' => 'utf8', 'schema' => 'public']);
    $manager->setEventDispatcher(new Dispatcher());
    $manager->setAsGlobal();
    $manager->bootEloquent();
}

function create(): void
{
    foreach (['by_default', 'by_ids'] as $name) {
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

/** Inserts rows with ids that it reserves first, and gives these. */
function insert_with_ids(array $rows): array
{
    $ids = DB::selectFromWriteConnection("SELECT hilo_next('by_ids', ?) AS id", [count($rows)]);
    ByIds::insert(array_map(fn ($row, $id) => $row + ['id' => $id->id], $rows, $ids));
    return array_column($ids, 'id');
}

function insert(string $model, string $writer): array
{
    $rows = array_fill(0, BATCH, ['writer' => $writer]);
    return $model === ByIds::class ? insert_with_ids($rows) : array_map(fn ($row) => $model::create($row)->id, $rows);
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
        foreach (MODELS as $model) {
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
if ($argv[1] === 'numbers') {
    numbers();
    exit;
}
[, $writer, $rows] = $argv;
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
