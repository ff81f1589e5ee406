# Takes ids from ranges of the table's generator; a rollback does not bring them back.
# A connection to a server is that of one process and one database.
require 'active_record/connection_adapters/postgresql_adapter'

module HiloRanges
  def prefetch_primary_key? = true

  def next_sequence_value = connection.next_hilo_id(table_name)
end

module HiloConnection
  def configure_connection
    @hilo_ids = {}
    super
  end

  def next_hilo_id(table)
    materialize_transactions # a connection that was lost is made anew here
    ids = (@hilo_ids ||= {})[[schema_search_path, table]] ||= []
    return ids.shift if ids.any?

    low, high = exec_query("SELECT low, high FROM hilo_next_range(#{quote(quote_table_name(table))})").rows.first
    ids.push(*low..high).shift
  end
end

ActiveRecord::ConnectionAdapters::PostgreSQLAdapter.prepend HiloConnection
