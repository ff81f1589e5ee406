using System;
using System.Collections.Generic;
using System.Linq;
using JasperFx;
using Marten;
using Weasel.Core.Sequences;

public class Order
{
	public long Id { get; set; }
	public string Writer { get; set; }
}

/// Insert WRITER ROWS SCHEMA.orders...: stores documents by Marten, and prints the ids it
/// has.  Marten keeps its schema as it wants it, but not the schema "provided".
/// Insert create SCHEMA...: Marten makes the tables.
public static class Insert
{
	public static void Main(string[] args)
	{
		if (args[0] == "create")
		{
			foreach (var schema in args.Skip(1))
			{
				using var store = Open(schema, AutoCreate.CreateOrUpdate);
				store.Storage.ApplyAllConfiguredChangesToDatabaseAsync().GetAwaiter().GetResult();
			}
			return;
		}
		var stores = args.Skip(2).ToDictionary(table => table, table => table.StartsWith("provided.")
			? Open("provided", AutoCreate.None) : Open(table.Split('.')[0], AutoCreate.CreateOrUpdate));
		for (var row = 0; row < int.Parse(args[1]); row += 20)
			foreach (var (table, store) in stores)
			{
				Rows(store, args[0], commit: false);
				foreach (var id in Rows(store, args[0], commit: true))
					Console.WriteLine($"{table} {id}");
			}
	}

	private static DocumentStore Open(string schema, AutoCreate autoCreate) => DocumentStore.For(options =>
	{
		options.Connection($"Host={Environment.GetEnvironmentVariable("ORM_HOST")};"
			+ $"Port={Environment.GetEnvironmentVariable("ORM_PORT")};Username=postgres;Database=postgres");
		options.DatabaseSchemaName = schema;
		options.AutoCreateSchemaObjects = autoCreate;
		options.Schema.For<Order>().HiloSettings(new HiloSettings { MaxLo = 10 });
	});

	private static IEnumerable<long> Rows(IDocumentStore store, string writer, bool commit)
	{
		using var session = store.LightweightSession();
		var orders = Enumerable.Range(0, 20).Select(_ => new Order { Writer = writer }).ToList();

		session.Store(orders.ToArray());
		if (commit)
			session.SaveChangesAsync().GetAwaiter().GetResult();
		return orders.Select(order => order.Id);
	}
}
