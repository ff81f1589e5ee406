using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Storage;
using Npgsql;

public class Order
{
	public long Id { get; set; }
	public string Writer { get; set; }
}

/// One table, whose name says where the ids are from.
public abstract class Orders : DbContext
{
	public abstract string Table { get; }
	public string Name { get; init; } = "postgres";

	protected override void OnConfiguring(DbContextOptionsBuilder options) => options
		.UseNpgsql($"Host={Environment.GetEnvironmentVariable("ORM_HOST")};"
			+ $"Port={Environment.GetEnvironmentVariable("ORM_PORT")};Username=postgres;Database={Name}");

	protected override void OnModelCreating(ModelBuilder modelBuilder)
	{
		modelBuilder.Entity<Order>().ToTable(Table).Property(o => o.Id).HasColumnName("id");
		modelBuilder.Entity<Order>().Property(o => o.Writer).HasColumnName("writer");
		OnIdCreating(modelBuilder);
	}

	protected abstract void OnIdCreating(ModelBuilder modelBuilder);
}

public class ByHilo : Orders
{
	public override string Table => "by_hilo";

	protected override void OnIdCreating(ModelBuilder modelBuilder)
	{
		modelBuilder.HasSequence<long>("orders_hilo").IncrementsBy(10);
		modelBuilder.Entity<Order>().Property(o => o.Id).UseHiLo("orders_hilo");
	}
}

public class ByBoth : Orders
{
	public override string Table => "by_both";

	protected override void OnIdCreating(ModelBuilder modelBuilder)
	{
		modelBuilder.HasSequence<long>("by_both_hilo").IncrementsBy(10);
		modelBuilder.Entity<Order>().Property(o => o.Id).UseHiLo("by_both_hilo")
			.HasDefaultValueSql("hilo_next('by_both')");
	}
}

public class ByDefault : Orders
{
	public override string Table => "by_default";

	protected override void OnIdCreating(ModelBuilder modelBuilder)
	{
		modelBuilder.Entity<Order>().Property(o => o.Id)
			.HasDefaultValueSql("hilo_next('by_default')");
	}
}

public class ByRange : Orders
{
	public override string Table => "by_range";

	protected override void OnIdCreating(ModelBuilder modelBuilder)
	{
		modelBuilder.Entity<Order>().Property(o => o.Id)
			.HasValueGenerator((property, type) => new HiloRange("by_range", 10))
			.HasDefaultValueSql("hilo_next('by_range')");
	}
}

public class ByOther : Orders
{
	public override string Table => "by_other";

	protected override void OnIdCreating(ModelBuilder modelBuilder)
	{
		modelBuilder.Entity<Order>().Property(o => o.Id)
			.HasValueGenerator((property, type) => new HiloRange("by_other", 10))
			.HasDefaultValueSql("hilo_next('by_other')");
	}
}

/// Insert WRITER ROWS TABLE...: inserts rows through EF Core, and prints the ids it has.
/// Insert create TABLE...: EF Core makes the tables.
/// Insert tasks|databases|models|failed|moved|short ROWS TABLE...: inserts rows in a case of OrmTest.
public static class Insert
{
	private static Orders Open(string table, string database = "postgres") => table switch
	{
		"by_hilo" => new ByHilo(),
		"by_both" => new ByBoth(),
		"by_default" => new ByDefault(),
		"by_range" => new ByRange { Name = database },
		"by_other" => new ByOther(),
		_ => throw new ArgumentException(table),
	};

	public static void Main(string[] args)
	{
		if (args[0] == "tasks")
		{
			Task.WaitAll(Enumerable.Range(0, 32).Select(_ => Task.Run(() =>
			{
				for (var row = 0; row < int.Parse(args[1]); row++)
					One(args[0], args[2]);
			})).ToArray());
			return;
		}
		if (args[0] == "databases")
		{
			for (var row = 0; row < int.Parse(args[1]); row++)
				One(args[0], args[2], row % 2 == 0 ? "postgres" : "other");
			return;
		}
		if (args[0] is "models" or "short")
		{
			for (var row = 0; row < int.Parse(args[1]); row++)
			{
				One(args[0], args[2 + row % (args.Length - 2)]);
				if (args[0] == "short") // the next connection is a new one, as that of a program is that begins
					NpgsqlConnection.ClearAllPools();
			}
			return;
		}
		if (args[0] is "failed" or "moved")
		{
			var rows = int.Parse(args[1]);
			for (var tries = 2 * rows; rows > 0 && tries > 0; tries--)
				try
				{
					One(args[0], args[2]);
					rows--;
				}
				catch (Exception e)
				{
					Console.WriteLine($"failed {e.GetBaseException().Message}");
				}
			return;
		}
		if (args[0] == "create")
		{
			foreach (var table in args.Skip(1))
			{
				using var orders = Open(table);
				orders.GetService<IRelationalDatabaseCreator>().CreateTables();
			}
			return;
		}
		for (var row = 0; row < int.Parse(args[1]); row += 20)
			foreach (var table in args.Skip(2))
			{
				Rows(table, args[0], commit: false);
				foreach (var id in Rows(table, args[0], commit: true))
					Console.WriteLine($"{table} {id}");
			}
	}

	private static void One(string name, string table, string database = "postgres")
	{
		using var orders = Open(table, database);
		using var transaction = orders.Database.BeginTransaction();
		var order = new Order { Writer = $"program-{name}" };

		orders.Add(order);
		orders.SaveChanges();
		transaction.Commit();
		Console.WriteLine($"{table} {order.Id}");
	}

	private static IEnumerable<long> Rows(string table, string writer, bool commit)
	{
		using var orders = Open(table);
		using var transaction = orders.Database.BeginTransaction();
		var added = Enumerable.Range(0, 20).Select(_ => new Order { Writer = writer }).ToList();

		orders.AddRange(added);
		orders.SaveChanges();
		if (commit)
			transaction.Commit();
		return added.Select(o => o.Id);
	}
}
