import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.id.IdentifierGenerator;

/** Takes blocks with hilo_next_range, for each tenant its own; a rollback does not bring them back. */
public class HiloGenerator implements IdentifierGenerator {
	private final HiloId id;
	private final Map<String, Queue<Long>> tenants = new ConcurrentHashMap<>();

	public HiloGenerator(HiloId id) {
		this.id = id;
	}

	@Override
	public Object generate(SharedSessionContractImplementor session, Object entity) {
		String tenant = String.valueOf(session.getTenantIdentifierValue());
		Queue<Long> ids = tenants.computeIfAbsent(tenant, name -> new ConcurrentLinkedQueue<>());
		Long next = ids.poll();
		return next != null ? next : session.doReturningWork(connection -> {
			try (var statement = connection.prepareStatement("SELECT low, high FROM hilo_next_range(?, ?)")) {
				statement.setString(1, id.value());
				statement.setInt(2, id.block());
				var range = statement.executeQuery();
				range.next();
				LongStream.rangeClosed(range.getLong(1) + 1, range.getLong(2)).forEach(ids::add);
				return range.getLong(1);
			}
		});
	}
}
