import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * Insert WRITER ROWS TABLE...: inserts rows through Hibernate, and prints the ids it
 * has. The schema of a table says which settings it is for: an optimizer, maybe
 * followed by "_stored_next".
 * Insert create SCHEMA...: Hibernate makes the tables.
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
	@Table(name = "by_range")
	public static class ByRange extends Written {
		@Id
		@HiloId(value = "by_range", block = 10)
		public Long id;
	}

	private static final Map<String, Class<? extends Written>> ENTITIES = Map.of(
		"by_sequence", BySequence.class, "by_table", ByTable.class,
		"by_default", ByDefault.class, "by_range", ByRange.class);

	public static void main(String[] args) throws Exception {
		if (args[0].equals("create")) {
			for (int i = 1; i < args.length; i++) {
				factory(args[i], "create").close();
			}
			return;
		}
		for (int i = 2; i < args.length; i++) {
			String[] table = args[i].split("\\.");
			try (SessionFactory factory = factory(table[0], "none")) {
				for (Object id : insert(factory, ENTITIES.get(table[1]), args[0], Integer.parseInt(args[1]))) {
					System.out.println(args[i] + " " + id);
				}
			}
		}
	}

	private static SessionFactory factory(String schema, String ddl) {
		Configuration configuration = new Configuration();
		configuration.setProperty("hibernate.connection.url", "jdbc:postgresql://" + System.getenv("ORM_HOST")
			+ ":" + System.getenv("ORM_PORT") + "/postgres?user=postgres");
		configuration.setProperty("hibernate.default_schema", schema);
		configuration.setProperty("hibernate.id.optimizer.pooled.preferred",
			schema.replace("_stored_next", "").replace('_', '-'));
		configuration.setProperty("hibernate.id.generator.stored_last_used",
			Boolean.toString(!schema.endsWith("_stored_next")));
		configuration.setProperty("hibernate.jdbc.batch_size", "20");
		configuration.setProperty("hibernate.hbm2ddl.auto", ddl);
		ENTITIES.values().forEach(configuration::addAnnotatedClass);
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
