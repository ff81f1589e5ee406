// Prints the statements that a start of the program needs, runs them, and inserts rows one
// by one and in a batch.
import org.jetbrains.exposed.dao.id.LongIdTable
import org.jetbrains.exposed.sql.*
import org.jetbrains.exposed.sql.transactions.transaction

object Customers : LongIdTable("customers") {
    val name = text("name").nullable()
}

fun main() {
    val url = "jdbc:postgresql://${System.getenv("ORM_HOST")}:${System.getenv("ORM_PORT")}/postgres"

    Database.connect(url, user = System.getenv("PGUSER") ?: System.getProperty("user.name"))
    transaction {
        SchemaUtils.statementsRequiredToActualizeScheme(Customers).forEach { println("statement $it") }
        SchemaUtils.createMissingTablesAndColumns(Customers)
        println("id ${Customers.insertAndGetId { it[name] = "single" }}")
        println("ids ${Customers.batchInsert(1..3) { this[Customers.name] = "$it" }.map { it[Customers.id] }}")
    }
}
