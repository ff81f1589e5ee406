import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * Bench ROWS: inserts so many entities through Hibernate, by each way to give them
 * ids, and prints "WAY;ENTITIES A SECOND". Bench create: Hibernate makes the tables.
 */
public class Bench {
	private static final int TRANSACTION = 1000, BATCH = 50;

	@MappedSuperclass
	public static class Item {
		public int number = 42;
		public String name = "item";
	}

	@Entity
	@Table(name = "own_sequence")
	public static class OwnSequence extends Item {
		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "own_sequence_seq")
		@SequenceGenerator(name = "own_sequence_seq", allocationSize = BATCH)
		public Long id;
	}

	/** The database makes the id. */
	@MappedSuperclass
	public static class Returned extends Item {
		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		public Long id;
	}

	@Entity
	@Table(name = "hilo_default")
	public static class HiloDefault extends Returned {
	}

	@Entity
	@Table(name = "identity_column")
	public static class Identity extends Returned {
	}

	private static final Map<String, Supplier<Item>> WAYS = new LinkedHashMap<>();

	static {
		WAYS.put("own sequence", OwnSequence::new);
		WAYS.put("DEFAULT hilo_next", HiloDefault::new);
		WAYS.put("identity column", Identity::new);
	}

	public static void main(String[] args) {
		boolean create = args[0].equals("create");
		try (SessionFactory factory = factory(create ? "create" : "none")) {
			if (!create) {
				int rows = Integer.parseInt(args[0]);
				WAYS.values().forEach(way -> insert(factory, way, Math.min(rows, 5 * TRANSACTION))); // to warm up
				WAYS.forEach((name, way) -> System.out.println(name + ";" + rows / insert(factory, way, rows)));
			}
		}
	}

	private static SessionFactory factory(String ddl) {
		Configuration configuration = new Configuration();
		configuration.setProperty("hibernate.connection.url",
			"jdbc:postgresql://127.0.0.1:" + System.getenv("PGPORT") + "/orm?user=postgres");
		configuration.setProperty("hibernate.jdbc.batch_size", Integer.toString(BATCH));
		configuration.setProperty("hibernate.hbm2ddl.auto", ddl);
		WAYS.values().forEach(way -> configuration.addAnnotatedClass(way.get().getClass()));
		return configuration.buildSessionFactory();
	}

	/** Gives the seconds it took. */
	private static double insert(SessionFactory factory, Supplier<Item> way, int rows) {
		long started = System.nanoTime();
		for (int row = 0; row < rows; row += TRANSACTION) {
			int size = Math.min(TRANSACTION, rows - row);
			factory.inTransaction(session -> {
				for (int i = 0; i < size; i++) {
					session.persist(way.get());
				}
			});
		}
		return (System.nanoTime() - started) / 1e9;
	}
}
