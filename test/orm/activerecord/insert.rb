# insert.rb WRITER ROWS TABLE...: inserts rows through ActiveRecord, and prints the ids it has.
# insert.rb create: ActiveRecord makes the tables.  insert.rb numbers: saves invoices.
# insert.rb fork|tasks|databases|models|failed|moved|short ROWS TABLE...: inserts rows in a case of OrmTest.

require 'active_record'
require_relative 'hilo_ranges'

BATCH = 20 # a transaction

class ByDefault < ActiveRecord::Base
  self.table_name = 'by_default'
end

class BySerial < ActiveRecord::Base
  self.table_name = 'by_serial'
end

class ByRange < ActiveRecord::Base
  self.table_name = 'by_range'
  extend HiloRanges
end

class ByOther < ActiveRecord::Base
  self.table_name = 'apart.by_range'
  extend HiloRanges
end

# Takes the first id of each block; hilo takes all of its own blocks.
class BySequence < ActiveRecord::Base
  self.table_name = 'by_sequence'

  def self.prefetch_primary_key? = true

  def self.next_sequence_value = connection.select_value("SELECT nextval('by_sequence_id_seq')")
end

class Invoice < ActiveRecord::Base
  attr_readonly :number
  after_save :reload
end

MODELS = [ByDefault, BySerial, ByRange, ByOther, BySequence].to_h { |model| [model.table_name, model] }

class CreateTables < ActiveRecord::Migration[6.1]
  def change
    create_table(:by_default, id: :bigint, default: -> { "hilo_next('by_default')" }) { |t| t.text :writer }
    create_table(:by_range, id: :bigint, default: -> { "hilo_next('by_range')" }) { |t| t.text :writer }
    execute 'CREATE SCHEMA apart'
    create_table('apart.by_range', id: :bigint, default: -> { "hilo_next('apart.by_range')" }) { |t| t.text :writer }
    create_table(:by_sequence) { |t| t.text :writer }
    create_table(:by_serial) { |t| t.text :writer }
    execute "SELECT hilo_attach('by_serial', 'id')"
  end
end

# Inserts a batch and gives the ids; half of it goes in one statement.
def insert(model, writer)
  known = model.insert_all(Array.new(BATCH / 2) { { writer: writer } }).rows.flatten unless model.prefetch_primary_key?
  known ||= []
  known + Array.new(BATCH - known.size) { model.create!(writer: writer).id }
end

# Inserts a row and prints its id at once.
def insert_one(model, writer)
  $stdout.syswrite("#{model.table_name} #{model.create!(writer: writer).id}\n")
end

def forks(count, &work)
  Array.new(count) { fork { work.call; exit!(true) } }.each { |pid| Process.wait2(pid).last.success? or abort('a child failed') }
end

# Inserts rows, and tries again where it fails, as the next request of an application does.
AGAIN = lambda { |model, writer, rows|
  (2 * rows).times do
    break if rows.zero?

    begin
      insert_one(model, writer)
      rows -= 1
    rescue ActiveRecord::ActiveRecordError => e
      $stdout.syswrite("failed #{e.message}\n")
    end
    ActiveRecord::Base.connection_handler.clear_active_connections!
  end
}

CASES = {
  'fork' => lambda { |model, writer, rows|
    insert_one(model, writer)
    forks(2) { rows.times { insert_one(model, writer) } }
  },
  'tasks' => lambda { |model, writer, rows|
    Array.new(32) { Thread.new { rows.times { insert_one(model, writer) } } }.each(&:join)
  },
  'databases' => lambda { |model, writer, rows|
    rows.times do |row|
      ActiveRecord::Base.connected_to(role: :writing, shard: %i[default other][row % 2]) { insert_one(model, writer) }
    end
  },
  'failed' => AGAIN,
  'moved' => AGAIN,
  'short' => lambda { |model, writer, rows| rows.times { forks(1) { insert_one(model, writer) } } }
}

def numbers
  invoice = Invoice.create!(customer: 7, state: 'posted', total: 10)
  puts invoice.number
  invoice.update!(total: 20)
  puts invoice.number
  invoice = Invoice.create!(customer: 7, state: 'draft', total: 10)
  invoice.update!(state: 'posted')
  puts invoice.number
  invoice.update!(total: 20)
  puts invoice.number
end

# as Rails does since 7
ActiveRecord::Base.legacy_connection_handling = false if ActiveRecord::VERSION::MAJOR < 7
ActiveRecord::Base.configurations = {
  default_env: %w[postgres other].to_h do |database|
    [database, { adapter: 'postgresql', host: ENV['ORM_HOST'], port: ENV['ORM_PORT'], username: 'postgres', database: database, pool: 32 }]
  end
}
ActiveRecord::Base.connects_to shards: { default: { writing: :postgres }, other: { writing: :other } }
writer, rows, *tables = ARGV

if writer == 'create'
  ActiveRecord::Migration.suppress_messages { CreateTables.migrate(:up) }
  exit
end
if writer == 'numbers'
  numbers
  exit
end
if writer == 'models'
  rows.to_i.times { |row| insert_one(MODELS[tables[row % tables.size]], 'program-models') }
  exit
end
if CASES.key?(writer)
  CASES[writer].call(MODELS[tables.first], "program-#{writer}", rows.to_i)
  exit
end
tables.each do |table|
  (rows.to_i / BATCH).times do
    MODELS[table].transaction do
      insert(MODELS[table], writer)
      raise ActiveRecord::Rollback
    end
    ids = MODELS[table].transaction { insert(MODELS[table], writer) }
    ids.each { |id| puts "#{table} #{id}" }
  end
end
