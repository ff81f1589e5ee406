import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.Statement;
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
 * that name, as a role that is no superuser, and prints what is left to do.  Migrate jdbc
 * DATABASE: prints what JDBC says of the column that is attached there, and inserts a row.
 */
public class Migrate {
	public static void main(String[] args) throws Exception {
		String url = "jdbc:postgresql://" + System.getenv("ORM_HOST") + ":" + System.getenv("ORM_PORT") + "/" + args[args.length - 1];

		Logger.getLogger("").setLevel(Level.WARNING);
		if (args[0].equals("flyway"))
			flyway(url);
		else if (args[0].equals("jdbc"))
			jdbc(url);
		else
			Scope.child(Map.of(Scope.Attr.ui.name(), new LoggerUIService()), () -> liquibase(url));
	}

	private static void jdbc(String url) throws Exception {
		try (var connection = DriverManager.getConnection(url, "app", ""); var statement = connection.createStatement()) {
			var columns = connection.getMetaData().getColumns(null, "public", "customers", "id");
			columns.next();
			System.out.println(columns.getString("IS_AUTOINCREMENT"));
			var rows = statement.executeQuery("SELECT id FROM customers");
			System.out.println(rows.getMetaData().isAutoIncrement(1));
			statement.executeUpdate("INSERT INTO customers VALUES (7, 'Ada')");
			statement.executeUpdate("INSERT INTO customers (item) VALUES ('Bob')", Statement.RETURN_GENERATED_KEYS);
			var keys = statement.getGeneratedKeys();
			keys.next();
			System.out.println(keys.getLong(1));
		}
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
