<?php
// insert.php WRITER ROWS TABLE...: inserts rows through Doctrine, and prints the ids it has.
// insert.php create: Doctrine makes the tables and the sequence.
// insert.php numbers 0: saves invoices.
// insert.php models ROWS TABLE...: inserts rows in that case of OrmTest.
// insert.php fork ROWS TABLE: inserts rows by two children at once, after their parent has inserted one.

use Doctrine\DBAL\DriverManager;
use Doctrine\ORM\Configuration;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\Mapping as ORM;
use Doctrine\ORM\Mapping\Driver\AttributeDriver;
use Doctrine\ORM\Tools\SchemaTool;

require 'Doctrine/ORM/autoload.php';
require 'HiloDefault.php';

const BATCH = 20; // a transaction

#[ORM\MappedSuperclass]
abstract class Written
{
    #[ORM\Column(type: 'text')]
    public string $writer;
}

#[ORM\Entity, ORM\Table(name: 'by_sequence')]
class BySequence extends Written
{
    #[ORM\Id, ORM\Column(type: 'bigint'), ORM\GeneratedValue(strategy: 'SEQUENCE')]
    #[ORM\SequenceGenerator(sequenceName: 'by_sequence_seq', allocationSize: 10)]
    public $id;
}

#[ORM\Entity, ORM\Table(name: 'by_default')]
class ByDefault extends Written
{
    #[ORM\Id, ORM\Column(type: 'bigint'), ORM\GeneratedValue(strategy: 'CUSTOM')]
    #[ORM\CustomIdGenerator(class: HiloDefault::class)]
    public $id;
}

#[ORM\Entity, ORM\Table(name: 'by_default', schema: 'apart')]
class ByOtherDefault extends Written
{
    #[ORM\Id, ORM\Column(type: 'bigint'), ORM\GeneratedValue(strategy: 'CUSTOM')]
    #[ORM\CustomIdGenerator(class: HiloDefault::class)]
    public $id;
}

/** The table of a parent has the ids. */
#[ORM\Entity, ORM\Table(name: 'by_default_parent')]
#[ORM\InheritanceType('JOINED'), ORM\DiscriminatorMap(['child' => ByDefaultChild::class])]
abstract class ByDefaultParent extends Written
{
    #[ORM\Id, ORM\Column(type: 'bigint'), ORM\GeneratedValue(strategy: 'CUSTOM')]
    #[ORM\CustomIdGenerator(class: HiloDefault::class)]
    public $id;
}

#[ORM\Entity, ORM\Table(name: 'by_default_child')]
class ByDefaultChild extends ByDefaultParent
{
}

/** Reads currval() or lastval(), which is not the id of the row. */
#[ORM\Entity, ORM\Table(name: 'by_currval')]
class ByCurrval extends Written
{
    #[ORM\Id, ORM\Column(type: 'bigint'), ORM\GeneratedValue(strategy: 'IDENTITY')]
    public $id;
}

#[ORM\Entity, ORM\Table(name: 'invoices')]
class Invoice
{
    #[ORM\Id, ORM\Column(type: 'bigint'), ORM\GeneratedValue(strategy: 'IDENTITY')]
    public $id;

    #[ORM\Column]
    public int $customer = 7;

    #[ORM\Column]
    public int $total = 10;

    #[ORM\Column(nullable: true, insertable: false, updatable: false, generated: 'ALWAYS')]
    public ?int $number = null;

    public function __construct(#[ORM\Column] public string $state)
    {
    }
}

const ENTITIES = [
    'by_sequence' => BySequence::class, 'by_default' => ByDefault::class, 'by_default_parent' => ByDefaultChild::class,
    'by_currval' => ByCurrval::class, 'apart.by_default' => ByOtherDefault::class,
];

function manager(): EntityManager
{
    $config = new Configuration();
    $config->setMetadataDriverImpl(new AttributeDriver([]));
    $config->setProxyDir(sys_get_temp_dir());
    $config->setProxyNamespace('Proxies');
    return new EntityManager(DriverManager::getConnection([
        'driver' => 'pdo_pgsql', 'host' => getenv('ORM_HOST'), 'port' => getenv('ORM_PORT'),
        'user' => 'postgres', 'dbname' => 'postgres']), $config);
}

/** Inserts a batch and gives the ids; they may be rolled back. */
function insert(EntityManager $em, string $class, string $writer, bool $commit): array
{
    $objects = [];
    $em->beginTransaction();
    for ($i = 0; $i < BATCH; $i++) {
        $objects[$i] = new $class();
        $objects[$i]->writer = $writer;
        $em->persist($objects[$i]);
    }
    $em->flush();
    $commit ? $em->commit() : $em->rollback();
    $em->clear();
    return array_map(fn ($object) => $object->id, $objects);
}

function insert_one(EntityManager $em, string $table, string $writer): void
{
    $class = ENTITIES[$table];
    $object = new $class();
    $object->writer = $writer;
    $em->persist($object);
    $em->flush();
    fwrite(STDOUT, "$table $object->id\n");
}

/** Has two children insert rows at once, after their parent has inserted one; neither keeps its connection. */
function forked(EntityManager $em, string $table, int $rows): void
{
    insert_one($em, $table, 'program-fork');
    $em->getConnection()->close();
    foreach ([1, 2] as $child) {
        if (pcntl_fork() === 0) {
            for ($row = 0; $row < $rows; $row++) {
                insert_one($em, $table, 'program-fork');
            }
            exit(0);
        }
    }
    while (pcntl_wait($status) > 0) {
        $status === 0 or exit(1);
    }
}

function models(EntityManager $em, array $tables, int $rows): void
{
    for ($row = 0; $row < $rows; $row++) {
        insert_one($em, $tables[$row % count($tables)], 'program-models');
    }
}

function numbers(EntityManager $em): void
{
    $em->persist($invoice = new Invoice('posted'));
    $em->flush();
    echo "$invoice->number\n";
    $invoice->total = 20;
    $em->flush();
    echo "$invoice->number\n";
    $em->persist($invoice = new Invoice('draft'));
    $em->flush();
    $invoice->state = 'posted';
    $em->flush();
    echo "$invoice->number\n";
    $invoice->total = 20;
    $em->flush();
    echo "$invoice->number\n";
}

$em = manager();
if ($argv[1] === 'create') {
    (new SchemaTool($em))->createSchema(
        array_map([$em, 'getClassMetadata'],
            [ByDefaultParent::class, ...array_values(array_diff(ENTITIES, [ByCurrval::class]))]));
    exit;
}
[, $writer, $rows] = $argv;
if ($writer === 'numbers') {
    numbers($em);
    exit;
}
if ($writer === 'models') {
    models($em, array_slice($argv, 3), $rows);
    exit;
}
if ($writer === 'fork') {
    forked($em, $argv[3], $rows);
    exit;
}
foreach (array_slice($argv, 3) as $table) {
    for ($row = 0; $row < $rows; $row += BATCH) {
        insert($em, ENTITIES[$table], $writer, false);
        foreach (insert($em, ENTITIES[$table], $writer, true) as $id) {
            echo "$table $id\n";
        }
    }
}
