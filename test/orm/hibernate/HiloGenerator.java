import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.id.IdentifierGenerator;

/** Takes blocks with hilo_next_range; a rollback does not bring them back. */
public class HiloGenerator implements IdentifierGenerator {
	private final String name;
	private long next = 1, high = 0;

	public HiloGenerator(HiloId id) {
		name = id.value();
	}

	@Override
	public synchronized Object generate(SharedSessionContractImplementor session, Object entity) {
		if (next > high) {
			session.doWork(connection -> {
				try (var statement = connection.prepareStatement("SELECT low, high FROM hilo_next_range(?, 10)")) {
					statement.setString(1, name);
					var row = statement.executeQuery();
					row.next();
					next = row.getLong(1);
					high = row.getLong(2);
				}
			});
		}
		return next++;
	}
}
