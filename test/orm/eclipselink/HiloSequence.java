import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.persistence.config.SessionCustomizer;
import org.eclipse.persistence.exceptions.DatabaseException;
import org.eclipse.persistence.internal.databaseaccess.Accessor;
import org.eclipse.persistence.internal.sessions.AbstractSession;
import org.eclipse.persistence.queries.DirectReadQuery;
import org.eclipse.persistence.sequencing.UUIDSequence;
import org.eclipse.persistence.sessions.Session;
import org.postgresql.PGConnection;

/** Has @GeneratedValue(generator = "by_range") take ids of ranges, for each connection to a server its own. */
public class HiloSequence extends UUIDSequence implements SessionCustomizer {
	private final Map<PGConnection, Queue<Object>> ranges = Collections.synchronizedMap(new WeakHashMap<>());

	@Override
	public void customize(Session session) {
		for (String generator : List.of("by_range", "by_other")) {
			var sequence = new HiloSequence();
			sequence.setName(generator);
			session.getLogin().addSequence(sequence);
		}
	}

	@Override
	public Object getGeneratedValue(Accessor none, AbstractSession session, String generator) {
		var accessor = session.getAccessor();
		accessor.incrementCallCount(session); // connects
		try {
			var server = accessor.getConnection().unwrap(PGConnection.class);
			var ids = ranges.computeIfAbsent(server, connection -> new ConcurrentLinkedQueue<>());
			if (ids.isEmpty()) {
				var range = new DirectReadQuery(
					"SELECT generate_series(low, high) FROM hilo_next_range('" + generator + "', 10)");
				range.setAccessor(accessor);
				ids.addAll((Collection<?>) session.executeQuery(range));
			}
			return ids.remove();
		} catch (SQLException e) {
			throw DatabaseException.sqlException(e);
		} finally {
			accessor.decrementCallCount();
		}
	}
}
