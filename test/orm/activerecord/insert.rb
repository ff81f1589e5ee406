# insert.rb WRITER ROWS TABLE...: inserts rows through ActiveRecord, and prints the ids it has.
# insert.rb create: ActiveRecord makes the tables.  insert.rb numbers: saves invoices.
# insert.rb fixtures TABLE...: loads rows as Rails' tests do, and prints the id of the next.

require 'active_record'
require 'active_record/fixtures'

BATCH = 20 # a transaction

class ByDefault < ActiveRecord::Base
  self.table_name = 'by_default'
end

class BySerial < ActiveRecord::Base
  self.table_name = 'by_serial'
end

class ByIds < ActiveRecord::Base
  self.table_name = 'by_ids'
end

# Takes the first id of each block; hilo takes all of its own blocks.
class BySequence < ActiveRecord::Base
  self.table_name = 'by_sequence'

  def self.prefetch_primary_key? = true

  def self.next_sequence_value = connection.select_value("SELECT nextval('by_sequence_id_seq')")
end

class Followed < ActiveRecord::Base
  self.table_name = 'followed'
end

class Invoice < ActiveRecord::Base
  attr_readonly :number
  after_save :reload
end

MODELS = [ByDefault, BySerial, ByIds, BySequence, Followed].to_h { |model| [model.table_name, model] }

class CreateTables < ActiveRecord::Migration[6.1]
  def change
    create_table(:by_default, id: :bigint, default: -> { "hilo_next('by_default')" }) { |t| t.text :writer }
    create_table(:by_ids, id: :bigint, default: -> { "hilo_next('by_ids')" }) { |t| t.text :writer }
    create_table(:by_sequence) { |t| t.text :writer }
    create_table(:by_serial) { |t| t.text :writer }
    create_table(:followed, id: :bigint, default: -> { "hilo_next('followed')" }) { |t| t.text :writer }
    execute "SELECT hilo_attach('by_serial', 'id'), hilo_attach('followed', 'id', 'followed', follow => true)"
  end
end

# Inserts rows with ids that it reserves first, and gives these.
def insert_with_ids(rows)
  ids = ByIds.connection.exec_query("SELECT hilo_next('by_ids', #{rows.size})").rows.flatten
  ByIds.insert_all(rows.zip(ids).map { |row, id| row.merge(id: id) })
  ids
end

# Inserts rows in one statement, if the model can do that, and gives their ids.
def insert_many(model, rows)
  return insert_with_ids(rows) if model == ByIds

  model.prefetch_primary_key? ? [] : model.insert_all(rows).rows.flatten
end

# Inserts a batch and gives the ids; half of it goes in one statement.
def insert(model, writer)
  known = insert_many(model, Array.new(BATCH / 2) { { writer: writer } })
  known + Array.new(BATCH - known.size) { model.create!(writer: writer).id }
end

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

# All triggers are off meanwhile.
def fixtures(tables)
  tables.each { |table| File.write("#{table}.yml", "first:\n  id: 100000\n  writer: fixture\n") }
  ActiveRecord::FixtureSet.create_fixtures('.', tables)
  tables.each { |table| puts MODELS[table].create!(writer: 'next').id }
end

ActiveRecord::Base.establish_connection(
  adapter: 'postgresql', host: ENV['ORM_HOST'], port: ENV['ORM_PORT'], username: 'postgres', database: 'postgres')
writer, rows, *tables = ARGV

if writer == 'create'
  ActiveRecord::Migration.suppress_messages { CreateTables.migrate(:up) }
  exit
end
if writer == 'numbers'
  numbers
  exit
end
if writer == 'fixtures'
  fixtures(ARGV.drop(1))
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
