import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.Generated;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.generator.EventType;

/**
 * Insert WRITER ROWS TABLE...: inserts rows through Hibernate, and prints the ids it
 * has. The schema of a table says which settings it is for: an optimizer, maybe
 * followed by "_stored_next".
 * Insert numbers: saves invoices.
 * Insert create SCHEMA...: Hibernate makes the tables.
 * Insert tasks|databases ROWS TABLE: inserts rows in a case of OrmTest.
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
		@TableGenerator(name = "table", table = "hibernate_sequences", pkColumnValue = "by_table", allocationSize = 10)
		public Long id;
	}

	@Entity
	@Table(name = "by_default")
	public static class ByDefault extends Written {
		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		public Long id;
	}

	@Entity
	@Table(name = "invoices", schema = "public")
	public static class Invoice {
		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		public Long id;

		public int customer = 7;

		public String state;

		public int total = 10;

		@Generated(event = {EventType.INSERT, EventType.UPDATE})
		public Integer number;
	}

	private static final Map<String, Class<? extends Written>> ENTITIES = Map.of(
		"by_sequence", BySequence.class, "by_table", ByTable.class,
		"by_default", ByDefault.class);

	public static void main(String[] args) throws Exception {
		if (args[0].equals("create")) {
			for (int i = 1; i < args.length; i++) {
				factory(args[i], "create").close();
			}
			return;
		}
		if (args[0].equals("numbers")) {
			numbers();
			return;
		}
		if (List.of("tasks", "databases").contains(args[0])) {
			insertInCase(args[0], Integer.parseInt(args[1]), args[2]);
			return;
		}
		var factories = new HashMap<String, SessionFactory>();
		for (int i = 2; i < args.length; i++) {
			String[] table = args[i].split("\\.");
			var factory = factories.computeIfAbsent(table[0], schema -> factory(schema, "none"));
			for (Object id : insert(factory, ENTITIES.get(table[1]), args[0], Integer.parseInt(args[1]))) {
				System.out.println(args[i] + " " + id);
			}
		}
		factories.values().forEach(SessionFactory::close);
	}

	private static void numbers() {
		try (var factory = factory("pooled", "none"); var session = factory.openSession()) {
			var transaction = session.beginTransaction();
			for (String state : new String[] {"posted", "draft"}) {
				var invoice = new Invoice();
				invoice.state = state;
				session.persist(invoice);
				session.flush();
				if (state.equals("draft")) {
					invoice.state = "posted";
					session.flush();
				}
				System.out.println(invoice.number);
				invoice.total = 20;
				session.flush();
				System.out.println(invoice.number);
			}
			transaction.commit();
		}
	}

	/** Has a database for each tenant. */
	private static class Tenants implements MultiTenantConnectionProvider<String> {
		@Override
		public Connection getConnection(String tenant) throws SQLException {
			return DriverManager.getConnection(url(tenant));
		}

		@Override
		public Connection getAnyConnection() throws SQLException {
			return getConnection("postgres");
		}

		@Override
		public void releaseConnection(String tenant, Connection connection) throws SQLException {
			connection.close();
		}

		@Override
		public void releaseAnyConnection(Connection connection) throws SQLException {
			connection.close();
		}

		@Override
		public boolean supportsAggressiveRelease() {
			return false;
		}

		@Override
		public boolean isUnwrappableAs(Class<?> type) {
			return false;
		}

		@Override
		public <T> T unwrap(Class<T> type) {
			return null;
		}
	}

	private static void insertInCase(String name, int rows, String table) throws Exception {
		String schema = table.split("\\.")[0];
		if (name.equals("databases")) {
			try (SessionFactory factory = factory(schema, "none", new Tenants())) {
				for (int row = 0; row < rows; row++) {
					insertOne(factory, name, row % 2 == 0 ? "postgres" : "other", table);
				}
			}
			return;
		}
		try (SessionFactory factory = factory(schema, "none")) {
			var threads = Executors.newFixedThreadPool(32);
			var tasks = new ArrayList<Callable<Void>>();
			for (int task = 0; task < 32; task++) {
				tasks.add(() -> {
					for (int row = 0; row < rows; row++) {
						insertOne(factory, name, null, table);
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

	private static void insertOne(SessionFactory factory, String name, Object tenant, String table) throws Exception {
		Written written = ENTITIES.get(table.split("\\.")[1]).getConstructor().newInstance();
		written.writer = "program-" + name;
		try (var session = factory.withOptions().tenantIdentifier(tenant).openSession()) {
			var transaction = session.beginTransaction();
			session.persist(written);
			Object id = session.getIdentifier(written);
			transaction.commit();
			System.out.println(table + " " + id);
		}
	}

	private static String url(String database) {
		return "jdbc:postgresql://" + System.getenv("ORM_HOST") + ":" + System.getenv("ORM_PORT") + "/" + database + "?user=postgres";
	}

	private static SessionFactory factory(String schema, String ddl) {
		return factory(schema, ddl, null);
	}

	private static SessionFactory factory(String schema, String ddl, Tenants tenants) {
		Configuration configuration = new Configuration();
		if (tenants == null) {
			configuration.setProperty("hibernate.connection.url", url("postgres"));
		} else {
			configuration.getProperties().put("hibernate.multi_tenant_connection_provider", tenants);
		}
		configuration.setProperty("hibernate.connection.pool_size", "40");
		configuration.setProperty("hibernate.default_schema", schema);
		configuration.setProperty("hibernate.id.optimizer.pooled.preferred",
			schema.replace("_stored_next", "").replace('_', '-'));
		configuration.setProperty("hibernate.id.generator.stored_last_used",
			Boolean.toString(!schema.endsWith("_stored_next")));
		configuration.setProperty("hibernate.jdbc.batch_size", "20");
		configuration.setProperty("hibernate.hbm2ddl.auto", ddl);
		ENTITIES.values().forEach(configuration::addAnnotatedClass);
		configuration.addAnnotatedClass(Invoice.class);
		return configuration.buildSessionFactory();
	}

	/** Gives the ids that were committed. */
	private static List<Object> insert(SessionFactory factory, Class<? extends Written> entity, String writer, int rows)
			throws Exception {
		List<Object> ids = new ArrayList<>();
		for (int row = 0; row < rows; row += 20) {
			for (boolean commit : new boolean[] {false, true}) {
				try (var session = factory.openSession()) {
					var transaction = session.beginTransaction();
					List<Object> mine = new ArrayList<>();
					for (int i = 0; i < 20; i++) {
						Written written = entity.getConstructor().newInstance();
						written.writer = writer;
						session.persist(written);
						mine.add(session.getIdentifier(written));
					}
					session.flush();
					if (commit) {
						transaction.commit();
						ids.addAll(mine);
					} else {
						transaction.rollback();
					}
				}
			}
		}
		return ids;
	}
}
