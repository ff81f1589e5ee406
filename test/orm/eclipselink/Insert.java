import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Persistence;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.eclipse.persistence.annotations.ReturnInsert;
import org.eclipse.persistence.annotations.ReturnUpdate;
import org.postgresql.ds.PGPoolingDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Insert WRITER ROWS TABLE...: inserts rows through EclipseLink, and prints the ids it
 * has.
 * Insert numbers: saves invoices.
 * Insert create: EclipseLink makes the tables and the sequences.
 * Insert tasks|databases|models|failed|moved|short ROWS TABLE...: inserts rows in a case of OrmTest.
 */
public class Insert {
	@MappedSuperclass
	public static class Written {
		public String writer;
	}

	@Entity
	@Table(name = "by_sequence")
	public static class BySequence extends Written {
		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "sequence")
		@SequenceGenerator(name = "sequence", sequenceName = "by_sequence_seq", allocationSize = 10)
		public Long id;
	}

	@Entity
	@Table(name = "by_table")
	public static class ByTable extends Written {
		@Id
		@GeneratedValue(strategy = GenerationType.TABLE, generator = "table")
		@TableGenerator(name = "table", pkColumnValue = "by_table", allocationSize = 10)
		public Long id;
	}

	@Entity
	@Table(name = "at_nextval")
	public static class AtNextval extends Written {
		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "at_nextval")
		@SequenceGenerator(name = "at_nextval", sequenceName = "at_nextval_seq", allocationSize = 10)
		public Long id;
	}

	@Entity
	@Table(name = "by_default")
	public static class ByDefault extends Written {
		@Id
		@ReturnInsert(returnOnly = true)
		public Long id;
	}

	@Entity
	@Table(name = "by_range")
	public static class ByRange extends Written {
		@Id
		@GeneratedValue(generator = "by_range")
		public Long id;
	}

	@Entity
	@Table(name = "by_other")
	public static class ByOther extends Written {
		@Id
		@GeneratedValue(generator = "by_other")
		public Long id;
	}

	/** Reads lastval(), which is not the id of the row. */
	@Entity
	@Table(name = "by_lastval")
	public static class ByLastval extends Written {
		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		public Long id;
	}

	@Entity
	@Table(name = "invoices")
	public static class Invoice {
		@Id
		@ReturnInsert(returnOnly = true)
		public Long id;

		public int customer = 7;

		public String state;

		public int total = 10;

		@Column(updatable = false)
		@ReturnInsert(returnOnly = true)
		@ReturnUpdate
		public Integer number;
	}

	private static final Map<String, Class<? extends Written>> ENTITIES = Map.of(
		"by_sequence", BySequence.class, "by_table", ByTable.class, "at_nextval", AtNextval.class,
		"by_default", ByDefault.class, "by_range", ByRange.class, "by_other", ByOther.class, "by_lastval", ByLastval.class);

	public static void main(String[] args) throws Exception {
		if (args[0].equals("create")) {
			for (String unit : new String[] {"usual", "at_nextval"}) {
				try (EntityManagerFactory factory = factory(unit, "create-tables")) {
					factory.createEntityManager().close();
				}
			}
			return;
		}
		if (args[0].equals("numbers")) {
			numbers();
			return;
		}
		if (List.of("tasks", "databases", "models", "failed", "moved", "short").contains(args[0])) {
			insertInCase(args[0], Integer.parseInt(args[1]), Arrays.copyOfRange(args, 2, args.length));
			return;
		}
		var factories = new HashMap<String, EntityManagerFactory>();
		for (int i = 2; i < args.length; i++) {
			var factory = factories.computeIfAbsent(args[i].startsWith("by") ? "usual" : "at_nextval", unit -> factory(unit, "none"));
			for (Object id : insert(factory, ENTITIES.get(args[i]), args[0], Integer.parseInt(args[1]))) {
				System.out.println(args[i] + " " + id);
			}
		}
		factories.values().forEach(EntityManagerFactory::close);
	}

	private static void numbers() {
		try (var factory = factory("usual", "none"); var manager = factory.createEntityManager()) {
			manager.getTransaction().begin();
			for (String state : new String[] {"posted", "draft"}) {
				var invoice = new Invoice();
				invoice.state = state;
				manager.persist(invoice);
				manager.flush();
				if (state.equals("draft")) {
					invoice.state = "posted";
					manager.flush();
				}
				System.out.println(invoice.number);
				invoice.total = 20;
				manager.flush();
				System.out.println(invoice.number);
			}
			manager.getTransaction().commit();
		}
	}

	private static void insertInCase(String name, int rows, String... tables) throws Exception {
		String table = tables[0];
		var databases = new TwoDatabases();
		try (var factory = switch (name) {
			case "databases" -> withDataSource(databases);
			case "moved" -> withDataSource(pool("postgres"));
			case "short" -> withDataSource(withoutPool());
			default -> factory("usual", "none");
		}) {
			if (name.equals("databases") || name.equals("models") || name.equals("short")) {
				for (int row = 0; row < rows; row++) {
					databases.current = row % 2;
					insertOne(factory, name, tables[row % tables.length]);
				}
				return;
			}
			if (!name.equals("tasks")) {
				for (int row = 0, tries = 0; row < rows && tries < 2 * rows; tries++) {
					try {
						insertOne(factory, name, table);
						row++;
					} catch (RuntimeException e) {
						System.out.println("failed " + e.getMessage());
					}
				}
				return;
			}
			var threads = Executors.newFixedThreadPool(32);
			var tasks = new ArrayList<Callable<Void>>();
			for (int task = 0; task < 32; task++) {
				tasks.add(() -> {
					for (int row = 0; row < rows; row++) {
						insertOne(factory, name, table);
					}
					return null;
				});
			}
			for (var task : threads.invokeAll(tasks)) {
				task.get();
			}
			threads.shutdown();
		}
	}

	private static void insertOne(EntityManagerFactory factory, String name, String table) throws Exception {
		Written written = ENTITIES.get(table).getConstructor().newInstance();
		written.writer = "program-" + name;
		try (var manager = factory.createEntityManager()) {
			manager.getTransaction().begin();
			manager.persist(written);
			manager.getTransaction().commit();
			System.out.println(table + " " + factory.getPersistenceUnitUtil().getIdentifier(written));
		}
	}

	private static EntityManagerFactory factory(String unit, String ddl) {
		return factory(unit, ddl, Map.of(
			"jakarta.persistence.jdbc.url", url("postgres"), "jakarta.persistence.jdbc.driver", "org.postgresql.Driver"));
	}

	/** As an application server has it: a pool that is not EclipseLink's. */
	private static EntityManagerFactory withDataSource(DataSource source) {
		return factory("usual", "none", Map.of("jakarta.persistence.nonJtaDataSource", source));
	}

	private static DataSource pool(String database) {
		var source = new PGPoolingDataSource();
		source.setUrl(url(database));
		return source;
	}

	/** Each connection is a new one, as that of a program is that begins. */
	private static DataSource withoutPool() {
		var source = new PGSimpleDataSource();
		source.setUrl(url("postgres"));
		return source;
	}

	/** A pool that has connections to two databases at a time. */
	private static class TwoDatabases extends PGSimpleDataSource {
		private final List<DataSource> pools = List.of(pool("postgres"), pool("other"));
		private int current;

		@Override
		public Connection getConnection() throws SQLException {
			return pools.get(current).getConnection();
		}
	}

	private static String url(String database) {
		return "jdbc:postgresql://" + System.getenv("ORM_HOST") + ":" + System.getenv("ORM_PORT") + "/" + database + "?user=postgres";
	}

	private static EntityManagerFactory factory(String unit, String ddl, Map<String, Object> connection) {
		var properties = new HashMap<>(connection);
		properties.putAll(Map.of(
			"eclipselink.weaving", "false",
			"eclipselink.transaction.join-existing", "true",
			"eclipselink.jdbc.batch-writing", "JDBC",
			"eclipselink.ddl-generation", ddl,
			"eclipselink.ddl-generation.output-mode", "database",
			"eclipselink.logging.level", "WARNING"));
		return Persistence.createEntityManagerFactory(unit, properties);
	}

	/** Gives the ids that were committed. */
	private static List<Object> insert(EntityManagerFactory factory, Class<? extends Written> entity, String writer, int rows)
			throws Exception {
		List<Object> ids = new ArrayList<>();
		int batch = Math.min(rows, 20);
		for (int row = 0; row < rows; row += batch) {
			for (boolean commit : new boolean[] {false, true}) {
				try (var manager = factory.createEntityManager()) {
					manager.getTransaction().begin();
					List<Written> objects = new ArrayList<>();
					for (int i = 0; i < batch; i++) {
						Written written = entity.getConstructor().newInstance();
						written.writer = writer;
						manager.persist(written);
						objects.add(written);
					}
					manager.flush();
					if (commit) {
						manager.getTransaction().commit();
						objects.forEach(object -> ids.add(factory.getPersistenceUnitUtil().getIdentifier(object)));
					} else {
						manager.getTransaction().rollback();
					}
				}
			}
		}
		return ids;
	}
}
