package shop;

import io.quarkus.hibernate.orm.panache.PanacheEntity;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hibernate.annotations.Generated;
import org.hibernate.generator.EventType;

/**
 * Insert WRITER ROWS TABLE...: inserts rows through Panache, and prints the ids it has.
 * Insert numbers: saves invoices.
 */
@QuarkusMain
public class Insert implements QuarkusApplication {
	/** Has the id, and the sequence, of each PanacheEntity. */
	@Entity(name = "by_sequence")
	public static class BySequence extends PanacheEntity {
		public String writer;
	}

	@Entity(name = "by_default")
	public static class ByDefault extends PanacheEntityBase {
		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		public Long id;

		public String writer;
	}

	@Entity
	@Table(name = "invoices")
	public static class Invoice extends PanacheEntityBase {
		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		public Long id;

		public int customer = 7;

		public String state;

		public int total = 10;

		@Generated(event = {EventType.INSERT, EventType.UPDATE})
		public Integer number;
	}

	private static class RolledBack extends RuntimeException {
	}

	private static final int BATCH = 20; // a transaction

	private static final Map<String, Function<String, Long>> WAYS = Map.of(
		"by_sequence", writer -> {
			var row = new BySequence();
			row.writer = writer;
			row.persist();
			return row.id;
		},
		"by_default", writer -> {
			var row = new ByDefault();
			row.writer = writer;
			row.persist();
			return row.id;
		});

	@Override
	public int run(String... args) {
		if (args.length == 1) {
			QuarkusTransaction.requiringNew().run(Insert::numbers);
		}
		for (int i = 2; i < args.length; i++) {
			for (int row = 0; row < Integer.parseInt(args[1]); row += BATCH) {
				var way = WAYS.get(args[i]);
				try {
					insert(way, args[0], new RolledBack());
				} catch (RolledBack expected) {
				}
				for (Long id : insert(way, args[0], null)) {
					System.out.println(args[i] + " " + id);
				}
			}
		}
		return 0;
	}

	private static void numbers() {
		for (String state : List.of("posted", "draft")) {
			var invoice = new Invoice();
			invoice.state = state;
			invoice.persistAndFlush();
			if (state.equals("draft")) {
				invoice.state = "posted";
				invoice.persistAndFlush();
			}
			System.out.println(invoice.number);
			invoice.total = 20;
			invoice.persistAndFlush();
			System.out.println(invoice.number);
		}
	}

	/** Inserts rows in a transaction that fails in the end if it has something to throw. */
	private static List<Long> insert(Function<String, Long> way, String writer, RolledBack end) {
		return QuarkusTransaction.requiringNew().call(() -> {
			var ids = Stream.generate(() -> way.apply(writer)).limit(BATCH).toList();
			if (end != null) {
				throw end;
			}
			return ids;
		});
	}
}
