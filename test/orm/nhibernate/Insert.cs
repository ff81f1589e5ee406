using System;
using System.Collections.Generic;
using System.Linq;
using NHibernate;
using NHibernate.Cfg;
using NHibernate.Tool.hbm2ddl;

public class Written
{
	public virtual long Id { get; set; }
	public virtual string Writer { get; set; }
}

/// Insert WRITER ROWS TABLE...: inserts rows through NHibernate, and prints the ids it has.
/// Insert create: NHibernate makes the tables.
public static class Insert
{
	private static readonly Dictionary<string, string> Generators = new()
	{
		["by_hilo"] = @"
			<generator class=""hilo"">
				<param name=""table"">hibernate_unique_key</param><param name=""column"">next_hi</param>
				<param name=""max_lo"">9</param><param name=""where"">entity = 'by_hilo'</param>
			</generator>",
		["by_seqhilo"] = @"
			<generator class=""seqhilo"">
				<param name=""sequence"">seqhilo_seq</param><param name=""max_lo"">9</param>
			</generator>",
		["by_pooled"] = @"
			<generator class=""enhanced-sequence"">
				<param name=""sequence_name"">pooled_seq</param><param name=""optimizer"">pooled</param>
				<param name=""increment_size"">10</param>
			</generator>",
		["by_pooled_lo"] = @"
			<generator class=""enhanced-sequence"">
				<param name=""sequence_name"">pooled_lo_seq</param><param name=""optimizer"">pooled-lo</param>
				<param name=""increment_size"">10</param>
			</generator>",
		["by_table"] = @"
			<generator class=""enhanced-table"">
				<param name=""segment_value"">by_table</param><param name=""optimizer"">pooled</param>
				<param name=""increment_size"">10</param>
			</generator>",
		["by_table_lo"] = @"
			<generator class=""enhanced-table"">
				<param name=""segment_value"">by_table_lo</param><param name=""optimizer"">pooled-lo</param>
				<param name=""increment_size"">10</param>
			</generator>",
		["by_identity"] = @"<generator class=""identity""/>",
		["by_trigger"] = @"<generator class=""trigger-identity""/>",
	};

	public static void Main(string[] args)
	{
		var configuration = new Configuration().SetProperties(new Dictionary<string, string>
		{
			["dialect"] = "NHibernate.Dialect.PostgreSQL83Dialect",
			["connection.driver_class"] = "NHibernate.Driver.NpgsqlDriver",
			["connection.connection_string"] = $"Host={System.Environment.GetEnvironmentVariable("ORM_HOST")};"
				+ $"Port={System.Environment.GetEnvironmentVariable("ORM_PORT")};Username=postgres;Database=postgres",
			["hbm2ddl.keywords"] = "none",
		});
		foreach (var (table, generator) in Generators)
			configuration.AddXml($@"
				<hibernate-mapping xmlns=""urn:nhibernate-mapping-2.2"">
					<class entity-name=""{table}"" name=""Written, Insert"" table=""{table}"">
						<id name=""Id"" column=""id"">{generator}</id>
						<property name=""Writer"" column=""writer""/>
					</class>
				</hibernate-mapping>");
		if (args[0] == "create")
		{
			new SchemaExport(configuration).Create(false, true);
			return;
		}
		using var factory = configuration.BuildSessionFactory();
		for (var row = 0; row < int.Parse(args[1]); row += 20)
			foreach (var table in args.Skip(2))
			{
				Rows(factory, table, args[0], commit: false);
				foreach (var id in Rows(factory, table, args[0], commit: true))
					Console.WriteLine($"{table} {id}");
			}
	}

	private static IEnumerable<long> Rows(ISessionFactory factory, string table, string writer, bool commit)
	{
		using var session = factory.OpenSession();
		using var transaction = session.BeginTransaction();
		var written = Enumerable.Range(0, 20).Select(_ => new Written { Writer = writer }).ToList();

		foreach (var one in written)
			session.Save(table, one);
		session.Flush();
		if (commit)
			transaction.Commit();
		return written.Select(one => one.Id);
	}
}
