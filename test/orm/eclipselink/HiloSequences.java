import java.util.List;
import org.eclipse.persistence.config.SessionCustomizer;
import org.eclipse.persistence.queries.ValueReadQuery;
import org.eclipse.persistence.sequencing.QuerySequence;
import org.eclipse.persistence.sessions.DatabaseSession;
import org.eclipse.persistence.sessions.Session;
import org.eclipse.persistence.sessions.SessionEvent;
import org.eclipse.persistence.sessions.SessionEventAdapter;

/** Has @GeneratedValue(generator = "by_range") take blocks with hilo_next_range; a new connection may lead to another database. */
public class HiloSequences extends SessionEventAdapter implements SessionCustomizer {
	@Override
	public void customize(Session session) {
		for (String generator : List.of("by_range", "by_other")) {
			QuerySequence sequence = new QuerySequence(generator, 10);
			sequence.setSelectQuery(new ValueReadQuery("SELECT high FROM hilo_next_range('" + generator + "', 10)"));
			session.getLogin().addSequence(sequence);
		}
		session.getEventManager().addListener(this);
	}

	@Override
	public void postConnect(SessionEvent event) {
		((DatabaseSession) event.getSession()).getSequencingControl().initializePreallocated();
	}
}
