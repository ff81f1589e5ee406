<?php
// artisan.php DATABASE COMMAND [OPTION...]: runs a command of Laravel's migrations, without
// the rest of Laravel.

use Illuminate\Console\Application as Artisan;
use Illuminate\Container\Container;
use Illuminate\Database\Capsule\Manager as DB;
use Illuminate\Database\Console\Migrations\{FreshCommand, InstallCommand, MigrateCommand};
use Illuminate\Database\Console\WipeCommand;
use Illuminate\Database\Migrations\{DatabaseMigrationRepository, Migrator};
use Illuminate\Events\Dispatcher;
use Illuminate\Filesystem\Filesystem;
use Symfony\Component\Console\Input\ArgvInput;

foreach (['Container', 'Console', 'Database', 'Events', 'Filesystem'] as $part) {
    require "Illuminate/$part/autoload.php";
}

class App extends Container
{
    public function environment()
    {
        return 'testing';
    }

    public function databasePath($path = '')
    {
        return __DIR__ . "/$path";
    }
}

function database_path($path)
{
    return App::getInstance()->databasePath($path);
}

error_reporting(E_ALL & ~E_DEPRECATED);
$app = App::setInstance(new App());
$manager = new DB();
$manager->addConnection([
    'driver' => 'pgsql', 'host' => getenv('ORM_HOST'), 'port' => getenv('ORM_PORT'), 'username' => 'postgres',
    'database' => $argv[1], 'charset' => 'utf8', 'schema' => 'public']);
$manager->setAsGlobal();
$databases = $manager->getDatabaseManager();
$app->instance('db', $databases);
$events = new Dispatcher($app);
$migrations = new DatabaseMigrationRepository($databases, 'migrations');
$artisan = new Artisan($app, $events, 'without Laravel');
$artisan->add(new InstallCommand($migrations));
$artisan->add(new MigrateCommand(new Migrator($migrations, $databases, new Filesystem(), $events), $events));
$artisan->add(new FreshCommand());
$artisan->add(new WipeCommand());
$artisan->setAutoExit(false);
exit($artisan->run(new ArgvInput(array_slice($argv, 1))));
