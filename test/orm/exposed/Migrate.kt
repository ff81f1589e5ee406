// Prints the statements that a start of the program with a model needs, runs them, and
// inserts rows one by one and in a batch.
import org.jetbrains.exposed.dao.id.IdTable
import org.jetbrains.exposed.dao.id.LongIdTable
import org.jetbrains.exposed.sql.*
import org.jetbrains.exposed.sql.transactions.transaction

object Serial : LongIdTable("customers") {
    val name = text("name").nullable()
}

object Customers : IdTable<Long>("customers") {
    override val id = long("id")
        .defaultExpression(CustomFunction<Long>("hilo_next", LongColumnType(), stringLiteral("customers")))
        .entityId()
    override val primaryKey = PrimaryKey(id)
    val name = text("name").nullable()
}

fun main(args: Array<String>) {
    val url = "jdbc:postgresql://${System.getenv("ORM_HOST")}:${System.getenv("ORM_PORT")}/postgres"

    Database.connect(url, user = System.getenv("PGUSER") ?: System.getProperty("user.name"))
    transaction {
        val model = if (args[0] == "serial") Serial else Customers

        SchemaUtils.statementsRequiredToActualizeScheme(model).forEach { println("statement $it") }
        SchemaUtils.createMissingTablesAndColumns(model)
        if (args[0] == "customers") {
            println("id ${Customers.insertAndGetId { it[name] = "single" }}")
            println("ids ${Customers.batchInsert(1..3) { this[Customers.name] = "$it" }.map { it[Customers.id] }}")
        }
    }
}
