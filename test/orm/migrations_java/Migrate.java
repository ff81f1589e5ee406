import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.command.core.helpers.DbUrlConnectionArgumentsCommandStep;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.ui.LoggerUIService;
import org.flywaydb.core.Flyway;

/**
 * Migrate flyway|liquibase: makes the tables of the migrations, twice, in a database of
 * that name, as a role that is no superuser, and prints what is left to do.
 */
public class Migrate {
	public static void main(String[] args) throws Exception {
		String url = "jdbc:postgresql://" + System.getenv("ORM_HOST") + ":" + System.getenv("ORM_PORT") + "/" + args[0];

		Logger.getLogger("").setLevel(Level.WARNING);
		if (args[0].equals("flyway"))
			flyway(url);
		else
			Scope.child(Map.of(Scope.Attr.ui.name(), new LoggerUIService()), () -> liquibase(url));
	}

	private static void flyway(String url) {
		Flyway flyway = Flyway.configure().dataSource(url, "app", "").locations("filesystem:.")
			.cleanDisabled(false).load();

		for (int run = 1; run <= 2; run++) {
			System.out.println("migrated " + flyway.migrate().migrationsExecuted);
			flyway.validate();
			System.out.println("left " + flyway.info().pending().length);
			if (run == 1)
				flyway.clean();
		}
	}

	private static void liquibase(String url) throws Exception {
		try (var connection = DriverManager.getConnection(url, "app", "")) {
			var database = DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(connection));
			var liquibase = new Liquibase("changelog.xml", new DirectoryResourceAccessor(Path.of(".")), database);

			for (int run = 1; run <= 2; run++) {
				System.out.println("migrated " + liquibase.listUnrunChangeSets(null, null).size());
				liquibase.update("");
				System.out.println("left " + liquibase.listUnrunChangeSets(null, null).size());
				if (run == 1)
					liquibase.dropAll();
			}
			var generated = new ByteArrayOutputStream();
			new CommandScope("generateChangelog")
				.addArgumentValue(DbUrlConnectionArgumentsCommandStep.DATABASE_ARG, database)
				.setOutput(generated).execute();
			System.out.println(generated);
		}
	}
}
