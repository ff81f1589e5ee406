<?php

use Illuminate\Database\Capsule\Manager as DB;
use Illuminate\Database\Migrations\Migration;

return new class extends Migration {
    public function up()
    {
        DB::statement('CREATE EXTENSION IF NOT EXISTS hilo');
        DB::schema()->create('orders', function ($table) {
            $table->bigInteger('id')->primary()->default(DB::raw("hilo_next('orders')"));
            $table->text('item');
        });
        DB::schema()->create('customers', function ($table) {
            $table->id();
            $table->text('item');
        });
        DB::statement("SELECT hilo_attach('customers', 'id')");
    }
};
