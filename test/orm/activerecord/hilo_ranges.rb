# Takes ids from ranges of the generator named as the table; a rollback does not bring them back.
module HiloRanges
  LOCK = Mutex.new

  def prefetch_primary_key? = true

  def next_sequence_value
    LOCK.synchronize do
      if @ids.nil? || @ids.empty?
        range = connection.select_rows("SELECT low, high FROM hilo_next_range(#{connection.quote(table_name)})")
        @ids = Range.new(*range.first).to_a
      end
      @ids.shift
    end
  end
end
