import org.eclipse.persistence.config.SessionCustomizer;
import org.eclipse.persistence.queries.ValueReadQuery;
import org.eclipse.persistence.sequencing.QuerySequence;
import org.eclipse.persistence.sessions.Session;

/** Has @GeneratedValue(generator = "by_range") take blocks with hilo_next_range. */
public class HiloSequences implements SessionCustomizer {
	@Override
	public void customize(Session session) {
		QuerySequence sequence = new QuerySequence("by_range", 10);
		sequence.setSelectQuery(new ValueReadQuery("SELECT high FROM hilo_next_range('by_range', 10)"));
		session.getLogin().addSequence(sequence);
	}
}
