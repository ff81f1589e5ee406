# Takes ids from ranges of the generator named as the table; a rollback does not bring them back.
# A pool of connections is that of one process and one database.
module HiloRanges
  IDS = Concurrent::Map.new { |ids, key| ids.compute_if_absent(key) { Queue.new } }

  def prefetch_primary_key? = true

  def next_sequence_value
    ids = IDS[[connection_pool, table_name]]
    ids.pop(true)
  rescue ThreadError # it is empty
    low, high = connection.exec_query("SELECT low, high FROM hilo_next_range(#{connection.quote(table_name)})").rows.first
    (low + 1).upto(high) { |id| ids << id }
    low
  end
end
