using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.ChangeTracking;
using Microsoft.EntityFrameworkCore.ValueGeneration;
using Npgsql;

/// Takes ids of ranges, for each connection to a server its own: each has one object with its parameters.
/// EF Core has one HiloRange for all contexts of a model, whatever their databases.
public class HiloRange : ValueGenerator<long>
{
	private readonly ConditionalWeakTable<object, Queue<long>> servers = new();
	private readonly string sql;

	public HiloRange(string generator, int block) =>
		sql = $"SELECT low, high FROM hilo_next_range('{generator}', {block})";

	public override bool GeneratesTemporaryValues => false;

	public override long Next(EntityEntry entry)
	{
		var database = entry.Context.Database;
		database.OpenConnection();
		try
		{
			var connection = (NpgsqlConnection)database.GetDbConnection();
			var ids = servers.GetOrCreateValue(connection.PostgresParameters);
			if (ids.TryDequeue(out var id))
				return id;
			using var command = connection.CreateCommand();
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
