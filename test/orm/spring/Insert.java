package shop;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hibernate.annotations.Generated;
import org.hibernate.generator.EventType;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Insert WRITER ROWS TABLE...: inserts rows through repositories of Spring Data, and
 * prints the ids it has.
 * Insert numbers: saves invoices.
 */
@EnableAutoConfiguration
@EnableJpaRepositories(considerNestedRepositories = true)
public class Insert {
	@MappedSuperclass
	public abstract static class Written {
		public String writer;

		abstract Long id();
	}

	@Entity
	@Table(name = "by_sequence")
	public static class BySequence extends Written {
		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "sequence")
		@SequenceGenerator(name = "sequence", sequenceName = "by_sequence_seq", allocationSize = 10)
		public Long id;

		@Override
		Long id() {
			return id;
		}
	}

	@Entity
	@Table(name = "by_default")
	public static class ByDefault extends Written {
		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		public Long id;

		@Override
		Long id() {
			return id;
		}
	}

	@Entity
	@Table(name = "invoices")
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

	public interface Invoices extends JpaRepository<Invoice, Long> {
	}

	public interface BySequences extends JpaRepository<BySequence, Long> {
	}

	public interface ByDefaults extends JpaRepository<ByDefault, Long> {
	}

	private static final int BATCH = 20; // a transaction

	public static void main(String[] args) {
		try (var context = SpringApplication.run(Insert.class)) {
			if (args.length == 1) {
				numbers(context.getBean(Invoices.class));
			}
			var transactions = context.getBean(TransactionTemplate.class);
			var ways = Map.of(
				"by_sequence", saving(context.getBean(BySequences.class), BySequence::new),
				"by_default", saving(context.getBean(ByDefaults.class), ByDefault::new));
			for (int i = 2; i < args.length; i++) {
				var way = ways.get(args[i]);
				for (int row = 0; row < Integer.parseInt(args[1]); row += BATCH) {
					transactions.executeWithoutResult(status -> {
						way.apply(args[0]);
						status.setRollbackOnly();
					});
					for (Long id : transactions.execute(status -> way.apply(args[0]))) {
						System.out.println(args[i] + " " + id);
					}
				}
			}
		}
	}

	/** Saves each in a transaction of its own. */
	private static void numbers(Invoices invoices) {
		for (String state : List.of("posted", "draft")) {
			var invoice = new Invoice();
			invoice.state = state;
			invoice = invoices.save(invoice);
			if (state.equals("draft")) {
				invoice.state = "posted";
				invoice = invoices.save(invoice);
			}
			System.out.println(invoice.number);
			invoice.total = 20;
			System.out.println(invoices.save(invoice).number);
		}
	}

	/** Returns what saves the rows of a writer, and gives their ids. */
	private static <T extends Written> Function<String, List<Long>> saving(JpaRepository<T, Long> rows, Supplier<T> row) {
		return writer -> rows.saveAll(Stream.generate(row).limit(BATCH).peek(it -> it.writer = writer).toList())
			.stream().map(Written::id).toList();
	}
}
