// synchronize.mjs TOOL SQL|update|drop: prints what the schema tool of an ORM
// would change in its database, has it do so, or has it drop its tables.

const [tool, what] = process.argv.slice(2);
const { ORM_HOST: host, ORM_PORT } = process.env;
const connection = { host, port: Number(ORM_PORT) };

async function typeorm() {
	const { DataSource, EntitySchema } = await import('typeorm');
	const item = { type: 'text', nullable: true };
	const Order = new EntitySchema({
		name: 'Order', tableName: 'orders',
		columns: {
			id: { type: 'bigint', primary: true, default: () => "hilo_next('orders')" },
			item,
		},
	});
	const Customer = new EntitySchema({
		name: 'Customer', tableName: 'customers',
		columns: { id: { type: 'bigint', primary: true, generated: 'increment' }, item },
	});
	const source = await new DataSource({
		type: 'postgres', ...connection, username: 'postgres', database: 'typeorm', entities: [Order, Customer],
	}).initialize();
	return {
		SQL: async () => (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query).join('\n'),
		update: () => source.synchronize(),
		drop: () => source.dropDatabase(),
		close: () => source.destroy(),
	};
}

async function mikroorm() {
	const { MikroORM, EntitySchema } = await import('@mikro-orm/postgresql');
	const item = { type: 'text', nullable: true };
	const Order = new EntitySchema({
		name: 'Order', tableName: 'orders',
		properties: {
			id: { type: 'bigint', primary: true, autoincrement: false, defaultRaw: "hilo_next('orders'::regclass)" },
			item,
		},
	});
	const Customer = new EntitySchema({
		name: 'Customer', tableName: 'customers', properties: { id: { type: 'bigint', primary: true }, item },
	});
	const orm = await MikroORM.init({
		...connection, user: 'postgres', dbName: 'mikroorm', entities: [Order, Customer],
		schemaGenerator: { ignoreSchema: ['hilo_internal'], ignoreTriggers: true },
	});
	return {
		SQL: async () => (await orm.schema.getUpdateSchemaSQL()).trim(),
		update: () => orm.schema.update(),
		drop: () => orm.schema.drop(),
		close: () => orm.close(),
	};
}

const schema = await { typeorm, mikroorm }[tool]();
const result = await schema[what]();
if (what === 'SQL') process.stdout.write(result);
await schema.close();
