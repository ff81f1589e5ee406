using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NHibernate.Engine;
using NHibernate.Id;
using NHibernate.Type;

public class HiloRange : IIdentifierGenerator, IConfigurable
{
	private string sql;
	private long next = 1, high = 0;

	public void Configure(IType type, IDictionary<string, string> parameters, NHibernate.Dialect.Dialect dialect) =>
		sql = $"SELECT low, high FROM hilo_next_range('{parameters["generator"]}', {parameters["block"]})";

	public object Generate(ISessionImplementor session, object entity)
	{
		lock (this)
		{
			if (next > high)
			{
				using var command = session.Connection.CreateCommand();
				session.ConnectionManager.Transaction.Enlist(command);
				command.CommandText = sql;
				using var range = command.ExecuteReader();
				range.Read();
				(next, high) = (range.GetInt64(0), range.GetInt64(1));
			}
			return next++;
		}
	}

	public Task<object> GenerateAsync(ISessionImplementor session, object entity, CancellationToken cancellation) =>
		Task.FromResult(Generate(session, entity));
}
