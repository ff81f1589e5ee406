using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Storage;

public class Order
{
	public long Id { get; set; }
	public string Writer { get; set; }
}

/// One table, whose name says where the ids are from.
public abstract class Orders : DbContext
{
	public abstract string Table { get; }

	protected override void OnConfiguring(DbContextOptionsBuilder options) => options
		.UseNpgsql($"Host={Environment.GetEnvironmentVariable("ORM_HOST")};"
			+ $"Port={Environment.GetEnvironmentVariable("ORM_PORT")};Username=postgres;Database=postgres");

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

/// Insert WRITER ROWS TABLE...: inserts rows through EF Core, and prints the ids it has.
/// Insert create TABLE...: EF Core makes the tables.
public static class Insert
{
	private static Orders Open(string table) => table switch
	{
		"by_hilo" => new ByHilo(),
		"by_both" => new ByBoth(),
		"by_default" => new ByDefault(),
		_ => throw new ArgumentException(table),
	};

	public static void Main(string[] args)
	{
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
