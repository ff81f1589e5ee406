using System.Collections.Concurrent;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.ChangeTracking;
using Microsoft.EntityFrameworkCore.ValueGeneration;

/// Takes ids of ranges. EF Core has one for all contexts of a model, whatever their databases.
public class HiloRange : ValueGenerator<long>
{
	private readonly ConcurrentDictionary<string, ConcurrentQueue<long>> databases = new();
	private readonly string sql;

	public HiloRange(string generator, int block) =>
		sql = $"SELECT low, high FROM hilo_next_range('{generator}', {block})";

	public override bool GeneratesTemporaryValues => false;

	public override long Next(EntityEntry entry)
	{
		var database = entry.Context.Database;
		var ids = databases.GetOrAdd(database.GetDbConnection().ConnectionString, _ => new());
		if (ids.TryDequeue(out var id))
			return id;
		database.OpenConnection();
		try
		{
			using var command = database.GetDbConnection().CreateCommand();
			command.CommandText = sql;
			using var range = command.ExecuteReader();
			range.Read();
			for (id = range.GetInt64(0) + 1; id <= range.GetInt64(1); id++)
				ids.Enqueue(id);
			return range.GetInt64(0);
		}
		finally
		{
			database.CloseConnection();
		}
	}
}
