# insert.exs WRITER ROWS TABLE...: inserts rows through Ecto, and prints the ids it has.
# insert.exs create: Ecto makes the tables.  insert.exs numbers: saves invoices.
# insert.exs tasks|databases|models|failed|moved|short ROWS TABLE...: inserts rows in a case of OrmTest.

{:ok, _} = Application.ensure_all_started(:postgrex)
{:ok, _} = Application.ensure_all_started(:ecto_sql)
Logger.configure(level: :warning)

defmodule Repo do
  use Ecto.Repo, otp_app: :hilo, adapter: Ecto.Adapters.Postgres
end

Code.require_file("hilo_range.ex", __DIR__)

defmodule Serial do
  use Ecto.Schema

  schema "serial" do
    field(:writer)
  end
end

defmodule ByDefault do
  use Ecto.Schema

  @primary_key {:id, :integer, read_after_writes: true}
  schema "by_default" do
    field(:writer)
  end
end

defmodule ByRange do
  use Ecto.Schema

  @primary_key {:id, :integer, autogenerate: {HiloRange, :next, ["by_range", 10]}}
  schema "by_range" do
    field(:writer)
  end
end

defmodule ByOther do
  use Ecto.Schema

  @primary_key {:id, :integer, autogenerate: {HiloRange, :next, ["by_other", 10]}}
  schema "by_other" do
    field(:writer)
  end
end

defmodule Invoice do
  use Ecto.Schema

  schema "invoices" do
    field(:customer, :integer)
    field(:state)
    field(:total, :integer)
    field(:number, :integer, read_after_writes: true)
  end
end

defmodule Tables do
  use Ecto.Migration

  def change do
    create table(:serial) do
      add(:writer, :text)
    end

    create table(:by_default, primary_key: false) do
      add(:id, :bigint, primary_key: true, default: fragment("hilo_next('by_default')"))
      add(:writer, :text)
    end

    for name <- ["by_range", "by_other"] do
      create table(name, primary_key: false) do
        add(:id, :bigint, primary_key: true, default: fragment("hilo_next('#{name}')"))
        add(:writer, :text)
      end
    end

    execute("SELECT hilo_attach('serial', 'id')", "")
  end
end

defmodule Insert do
  @rows 20

  def rows(schema, writer, fail) do
    result =
      Repo.transaction(fn ->
        ids = many(schema, writer) ++ for(_ <- 1..10, do: one(schema, writer))
        if fail, do: Repo.rollback(:wanted)
        ids
      end)

    case result do
      {:ok, ids} -> ids
      {:error, :wanted} -> []
    end
  end

  def in_batches(tables, writer, rows) do
    for _ <- 1..div(rows, @rows),
        table <- tables,
        schema = schema(table),
        id <- rows(schema, writer, true) ++ rows(schema, writer, false) do
      IO.puts("#{table} #{id}")
    end
  end

  def tasks(table, rows) do
    1..32
    |> Task.async_stream(
      fn _ -> for _ <- 1..rows, do: tell(table, "program-tasks") end,
      max_concurrency: 32,
      timeout: :infinity
    )
    |> Stream.run()
  end

  def numbers do
    invoice = Repo.insert!(%Invoice{customer: 7, state: "posted", total: 10})
    IO.puts(invoice.number)
    IO.puts(change(invoice, total: 20).number)
    draft = Repo.insert!(%Invoice{customer: 7, state: "draft", total: 10})
    invoice = change(draft, state: "posted")
    IO.puts(invoice.number)
    IO.puts(change(invoice, total: 20).number)
  end

  defp change(invoice, changes), do: Repo.update!(Ecto.Changeset.change(invoice, changes))

  def databases(table, rows) do
    for row <- 1..rows do
      Repo.put_dynamic_repo(if rem(row, 2) == 0, do: Repo, else: :other)
      tell(table, "program-databases")
    end
  end

  def models(tables, rows) do
    for row <- 1..rows, do: tell(Enum.at(tables, rem(row, length(tables))), "program-models")
  end

  # each row as the first of a program
  def short(table, rows) do
    for _ <- 1..rows do
      Agent.stop(HiloRange)
      {:ok, _} = HiloRange.start_link([])
      tell(table, "program-short")
    end
  end

  # inserts rows, and tries again where it fails
  def again(_, _, rows, tries) when rows == 0 or tries == 0, do: :ok

  def again(table, writer, rows, tries) do
    tell(table, writer)
    again(table, writer, rows - 1, tries - 1)
  rescue
    error ->
      IO.puts("failed #{Exception.message(error)}")
      again(table, writer, rows, tries - 1)
  end

  defp tell(table, writer) do
    {:ok, id} = Repo.transaction(fn -> one(schema(table), writer) end)
    IO.puts("#{table} #{id}")
  end

  defp schema(table), do: Module.concat([Macro.camelize(table)])

  defp one(schema, writer), do: Repo.insert!(struct(schema, writer: writer)).id

  # insert_all generates nothing itself
  defp many(ByRange, writer), do: for(_ <- 1..10, do: one(ByRange, writer))

  defp many(schema, writer) do
    rows = for _ <- 1..10, do: %{writer: writer}
    {10, inserted} = Repo.insert_all(schema, rows, returning: [:id])
    Enum.map(inserted, & &1.id)
  end
end

connection = [
  hostname: System.fetch_env!("ORM_HOST"),
  port: String.to_integer(System.fetch_env!("ORM_PORT")),
  username: "postgres",
  pool_size: 10,
  queue_target: 10_000,
  after_connect: {HiloRange, :forget, []}
]

{:ok, _} = Repo.start_link([database: "postgres"] ++ connection)
if System.argv() != ["create"], do: {:ok, _} = HiloRange.start_link([])

case System.argv() do
  ["create"] ->
    :ok = Ecto.Migrator.up(Repo, 1, Tables, log: false)

  ["numbers"] ->
    Insert.numbers()

  ["tasks", rows, table] ->
    Insert.tasks(table, String.to_integer(rows))

  ["databases", rows, table] ->
    {:ok, _} = Repo.start_link([database: "other", name: :other] ++ connection)
    Insert.databases(table, String.to_integer(rows))

  ["models", rows | tables] ->
    Insert.models(tables, String.to_integer(rows))

  ["short", rows, table] ->
    Insert.short(table, String.to_integer(rows))

  [name, rows, table] when name in ["failed", "moved"] ->
    rows = String.to_integer(rows)
    Insert.again(table, "program-#{name}", rows, 2 * rows)

  [writer, rows | tables] ->
    Insert.in_batches(tables, writer, String.to_integer(rows))
end
