import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.id.IdentifierGenerator;

/** Takes blocks with hilo_next_range; a rollback does not bring them back. */
public class HiloGenerator implements IdentifierGenerator {
	private final HiloId id;
	private long next = 1, high = 0;

	public HiloGenerator(HiloId id) {
		this.id = id;
	}

	@Override
	public synchronized Object generate(SharedSessionContractImplementor session, Object entity) {
		if (next > high) {
			session.doWork(connection -> {
				try (var statement = connection.prepareStatement("SELECT low, high FROM hilo_next_range(?, ?)")) {
					statement.setString(1, id.value());
					statement.setInt(2, id.block());
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
