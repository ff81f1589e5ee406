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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.eclipse.persistence.annotations.ReturnInsert;
import org.eclipse.persistence.annotations.ReturnUpdate;

/**
 * Insert WRITER ROWS TABLE...: inserts rows through EclipseLink, and prints the ids it
 * has.
 * Insert numbers: saves invoices.
 * Insert create: EclipseLink makes the tables and the sequences.
 * Insert tasks ROWS TABLE: inserts rows in that case of OrmTest.
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
		"by_default", ByDefault.class, "by_lastval", ByLastval.class);

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
		if (args[0].equals("tasks")) {
			insertByTasks(Integer.parseInt(args[1]), args[2]);
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

	private static void insertByTasks(int rows, String table) throws Exception {
		try (var factory = factory("usual", "none")) {
			var threads = Executors.newFixedThreadPool(32);
			var tasks = new ArrayList<Callable<Void>>();
			for (int task = 0; task < 32; task++) {
				tasks.add(() -> {
					for (int row = 0; row < rows; row++) {
						insertOne(factory, table);
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

	private static void insertOne(EntityManagerFactory factory, String table) throws Exception {
		Written written = ENTITIES.get(table).getConstructor().newInstance();
		written.writer = "program-tasks";
		try (var manager = factory.createEntityManager()) {
			manager.getTransaction().begin();
			manager.persist(written);
			manager.getTransaction().commit();
			System.out.println(table + " " + factory.getPersistenceUnitUtil().getIdentifier(written));
		}
	}

	private static EntityManagerFactory factory(String unit, String ddl) {
		String url = "jdbc:postgresql://" + System.getenv("ORM_HOST") + ":" + System.getenv("ORM_PORT") + "/postgres?user=postgres";

		return Persistence.createEntityManagerFactory(unit, Map.of(
			"jakarta.persistence.jdbc.url", url,
			"jakarta.persistence.jdbc.driver", "org.postgresql.Driver",
			"eclipselink.weaving", "false",
			"eclipselink.jdbc.batch-writing", "JDBC",
			"eclipselink.ddl-generation", ddl,
			"eclipselink.ddl-generation.output-mode", "database",
			"eclipselink.logging.level", "WARNING"));
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
