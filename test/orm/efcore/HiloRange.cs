using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.ChangeTracking;
using Microsoft.EntityFrameworkCore.ValueGeneration;

public class HiloRange : ValueGenerator<long>
{
	private readonly string sql;
	private long next = 1, high = 0;

	public HiloRange(string generator, int block) =>
		sql = $"SELECT low, high FROM hilo_next_range('{generator}', {block})";

	public override bool GeneratesTemporaryValues => false;

	public override long Next(EntityEntry entry)
	{
		lock (this)
		{
			if (next > high)
			{
				var database = entry.Context.Database;
				database.OpenConnection();
				using (var command = database.GetDbConnection().CreateCommand())
				{
					command.CommandText = sql;
					using var range = command.ExecuteReader();
					range.Read();
					(next, high) = (range.GetInt64(0), range.GetInt64(1));
				}
				database.CloseConnection();
			}
			return next++;
		}
	}
}
