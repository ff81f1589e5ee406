# schema.rb FROM TO: writes the schema of a database as db/schema.rb, loads it into another
# one, twice, and prints it.

require 'active_record'
require 'stringio'

def connect(database)
  ActiveRecord::Base.establish_connection(
    adapter: 'postgresql', host: ENV['ORM_HOST'], port: ENV['ORM_PORT'], username: 'postgres', database: database)
end

# Rails 7.1 and later dump schemas, too, and would create that of hilo before hilo
ActiveSupport.on_load(:active_record_postgresqladapter) do
  prepend(Module.new { def schema_names = super - ['hilo_internal'] })
end

def dump
  schema = StringIO.new
  base = ActiveRecord::Base
  # 7.2 takes connections from a pool
  ActiveRecord::SchemaDumper.dump(ActiveRecord::VERSION::STRING < '7.2' ? base.connection : base.connection_pool, schema)
  schema.string.gsub(/^ *#.*\n/, '')
end

class Order < ActiveRecord::Base
end

class CreateTables < ActiveRecord::Migration[6.1]
  def change
    enable_extension 'hilo'
    create_table(:orders, id: :bigint, default: -> { "hilo_next('orders')" }) { |t| t.text :item }
    create_table(:customers) { |t| t.text :item }
    execute "SELECT hilo_attach('customers', 'id')"
  end
end

from, to = ARGV
ActiveRecord::Schema.verbose = false
connect(from)
ActiveRecord::Migration.suppress_messages { CreateTables.migrate(:up) }
written = dump
connect(to)
2.times do
  ActiveRecord::Base.connection.instance_eval { ActiveRecord::Schema.class_eval(written) }
  raise 'the loaded schema differs' unless dump == written

  Order.create!(item: 'tea')
end
puts written
