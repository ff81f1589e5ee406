using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using NHibernate.Engine;
using NHibernate.Id;
using NHibernate.Type;
using Npgsql;

/// Takes ids of ranges, for each connection to a server its own: each has one object with its parameters.
public class HiloRange : IIdentifierGenerator, IConfigurable
{
	private readonly ConditionalWeakTable<object, Queue<long>> servers = new();
	private string sql;

	public void Configure(IType type, IDictionary<string, string> parameters, NHibernate.Dialect.Dialect dialect) =>
		sql = $"SELECT low, high FROM hilo_next_range('{parameters["generator"]}', {parameters["block"]})";

	public object Generate(ISessionImplementor session, object entity)
	{
		var ids = servers.GetOrCreateValue(((NpgsqlConnection)session.Connection).PostgresParameters);
		if (ids.TryDequeue(out var id))
			return id;
		using var command = session.ConnectionManager.CreateCommand();
		command.CommandText = sql;
		using var range = command.ExecuteReader();
		range.Read();
		for (id = range.GetInt64(0) + 1; id <= range.GetInt64(1); id++)
			ids.Enqueue(id);
		return range.GetInt64(0);
	}

	public Task<object> GenerateAsync(ISessionImplementor session, object entity, CancellationToken cancellation) =>
		Task.FromResult(Generate(session, entity));
}
