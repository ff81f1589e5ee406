import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.eclipse.persistence.config.SessionCustomizer;
import org.eclipse.persistence.queries.ValueReadQuery;
import org.eclipse.persistence.sequencing.QuerySequence;
import org.eclipse.persistence.sessions.Session;
import org.eclipse.persistence.sessions.SessionEvent;
import org.eclipse.persistence.sessions.SessionEventAdapter;
import org.eclipse.persistence.sessions.server.ClientSession;
import org.postgresql.PGConnection;

/** Has @GeneratedValue(generator = "by_range") take blocks with hilo_next_range; a new connection may lead to another database. */
public class HiloSequences extends SessionEventAdapter implements SessionCustomizer {
	private final Map<PGConnection, Boolean> known = Collections.synchronizedMap(new WeakHashMap<>());

	@Override
	public void customize(Session session) {
		String told = session.getPlatform().getDefaultSeqenceAtNextValue() ? "low" : "high";
		for (String generator : List.of("by_range", "by_other")) {
			QuerySequence sequence = new QuerySequence(generator, 10);
			sequence.setSelectQuery(new ValueReadQuery(
				"SELECT " + told + " FROM hilo_next_range('" + generator + "', 10) WHERE high = low + 9"));
			session.getLogin().addSequence(sequence);
		}
		session.getEventManager().addListener(this);
	}

	@Override
	public void postBeginTransaction(SessionEvent event) {
		if (event.getSession() instanceof ClientSession session) {
			var accessor = session.getAccessor();
			accessor.incrementCallCount(session); // connects, before it takes ids
			try {
				if (known.put(accessor.getConnection().unwrap(PGConnection.class), true) == null) {
					session.getParent().getSequencingControl().initializePreallocated();
				}
			} catch (SQLException e) {
				throw new IllegalStateException(e);
			} finally {
				accessor.decrementCallCount();
			}
		}
	}
}
