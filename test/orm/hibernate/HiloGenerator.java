import java.util.Collections;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.WeakHashMap;
import java.util.stream.LongStream;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.id.IdentifierGenerator;
import org.postgresql.PGConnection;

/** Takes blocks with hilo_next_range, for each connection to a server its own; a rollback does not bring them back. */
public class HiloGenerator implements IdentifierGenerator {
	private final HiloId id;
	private final Map<PGConnection, PrimitiveIterator.OfLong> ranges = Collections.synchronizedMap(new WeakHashMap<>());

	public HiloGenerator(HiloId id) {
		this.id = id;
	}

	@Override
	public Object generate(SharedSessionContractImplementor session, Object entity) {
		return session.doReturningWork(connection -> {
			var server = connection.unwrap(PGConnection.class);
			var ids = ranges.get(server);
			if (ids == null || !ids.hasNext()) {
				try (var statement = connection.prepareStatement("SELECT low, high FROM hilo_next_range(?, ?)")) {
					statement.setString(1, id.value());
					statement.setInt(2, id.block());
					var range = statement.executeQuery();
					range.next();
					ids = LongStream.rangeClosed(range.getLong(1), range.getLong(2)).iterator();
				}
				ranges.put(server, ids);
			}
			return ids.next();
		});
	}
}
