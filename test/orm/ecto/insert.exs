# insert.exs WRITER ROWS TABLE...: inserts rows through Ecto, and prints the ids it has.
# insert.exs create: Ecto makes the tables.  insert.exs numbers: saves invoices.

{:ok, _} = Application.ensure_all_started(:postgrex)
{:ok, _} = Application.ensure_all_started(:ecto_sql)
Logger.configure(level: :warning)

defmodule Repo do
  use Ecto.Repo, otp_app: :hilo, adapter: Ecto.Adapters.Postgres
end

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

defmodule ByIds do
  use Ecto.Schema

  schema "by_ids" do
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

    create table(:by_ids, primary_key: false) do
      add(:id, :bigint, primary_key: true, default: fragment("hilo_next('by_ids')"))
      add(:writer, :text)
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

  defp schema(table), do: Module.concat([Macro.camelize(table)])

  defp one(schema, writer), do: Repo.insert!(struct(schema, writer: writer)).id

  # with ids that are reserved first
  defp many(ByIds, writer) do
    rows = for _ <- 1..10, do: %{writer: writer}
    %{rows: ids} = Repo.query!("SELECT hilo_next('by_ids', $1)", [length(rows)])
    Repo.insert_all(ByIds, Enum.zip_with(rows, ids, fn row, [id] -> Map.put(row, :id, id) end))
    List.flatten(ids)
  end

  defp many(schema, writer) do
    rows = for _ <- 1..10, do: %{writer: writer}
    {10, inserted} = Repo.insert_all(schema, rows, returning: [:id])
    Enum.map(inserted, & &1.id)
  end
end

{:ok, _} =
  Repo.start_link(
    hostname: System.fetch_env!("ORM_HOST"),
    port: String.to_integer(System.fetch_env!("ORM_PORT")),
    username: "postgres",
    database: "postgres",
    pool_size: 10
  )

case System.argv() do
  ["create"] ->
    :ok = Ecto.Migrator.up(Repo, 1, Tables, log: false)

  ["numbers"] ->
    Insert.numbers()

  [writer, rows | tables] ->
    Insert.in_batches(tables, writer, String.to_integer(rows))
end
