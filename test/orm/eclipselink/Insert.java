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
import java.util.Map;

/**
 * Insert WRITER ROWS TABLE...: inserts rows through EclipseLink.
 * Insert create: EclipseLink makes the tables and the sequences.
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

	private static final Map<String, Class<? extends Written>> ENTITIES = Map.of(
		"by_sequence", BySequence.class, "by_table", ByTable.class, "at_nextval", AtNextval.class);

	public static void main(String[] args) throws Exception {
		if (args[0].equals("create")) {
			for (String unit : new String[] {"usual", "at_nextval"}) {
				try (EntityManagerFactory factory = factory(unit, "create-tables")) {
					factory.createEntityManager().close();
				}
			}
			return;
		}
		for (int i = 2; i < args.length; i++) {
			try (EntityManagerFactory factory = factory(args[i].startsWith("by") ? "usual" : args[i], "none")) {
				insert(factory, ENTITIES.get(args[i]), args[0], Integer.parseInt(args[1]));
			}
		}
	}

	private static EntityManagerFactory factory(String unit, String ddl) {
		return Persistence.createEntityManagerFactory(unit, Map.of(
			"jakarta.persistence.jdbc.url", "jdbc:postgresql://" + System.getenv("ORM_HOST")
				+ ":" + System.getenv("ORM_PORT") + "/postgres?user=postgres",
			"jakarta.persistence.jdbc.driver", "org.postgresql.Driver",
			"eclipselink.weaving", "false",
			"eclipselink.jdbc.batch-writing", "JDBC",
			"eclipselink.ddl-generation", ddl,
			"eclipselink.ddl-generation.output-mode", "database",
			"eclipselink.logging.level", "WARNING"));
	}

	private static void insert(EntityManagerFactory factory, Class<? extends Written> entity, String writer, int rows)
			throws Exception {
		for (int row = 0; row < rows; row += 20) {
			for (boolean commit : new boolean[] {false, true}) {
				try (var manager = factory.createEntityManager()) {
					manager.getTransaction().begin();
					for (int i = 0; i < 20; i++) {
						Written written = entity.getConstructor().newInstance();
						written.writer = writer;
						manager.persist(written);
					}
					manager.flush();
					if (commit) {
						manager.getTransaction().commit();
					} else {
						manager.getTransaction().rollback();
					}
				}
			}
		}
	}
}
