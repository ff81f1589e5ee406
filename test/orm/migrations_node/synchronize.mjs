// synchronize.mjs TOOL SQL|update|drop|change|back|insert: prints what the schema tool of an
// ORM would change in its database, has it do so, or drop its tables, or change them and
// change them back; or inserts rows with ids, then others, whose ids it prints.

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

async function sequelize() {
	const { Sequelize, DataTypes } = await import('sequelize');
	const database = new Sequelize({
		dialect: 'postgres', ...connection, username: 'postgres', database: 'sequelize', logging: false,
	});
	const customers = (columns) => database.define('Customer', {
		id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true }, ...columns,
	}, { tableName: 'customers', timestamps: false });
	const update = () => customers({ item: DataTypes.TEXT }).sync({ alter: true });
	return {
		update,
		change: () => customers({ item: DataTypes.STRING, note: DataTypes.TEXT }).sync({ alter: true }),
		back: update,
		async insert() {
			const Customer = customers({ item: DataTypes.TEXT });
			await Customer.bulkCreate([{ id: 1 }, { id: 2 }, { id: 3 }]);
			const rows = await Customer.bulkCreate([{ item: 'tea' }, { item: 'milk' }], { returning: true });
			return rows.map(({ id }) => id).join(' ');
		},
		close: () => database.close(),
	};
}

async function knex() {
	const { default: open } = await import('knex');
	const knex = open({ client: 'pg', connection: { ...connection, user: 'postgres', database: 'knex' } });
	const drawn = knex.raw("nextval('customers_id_seq')");
	const migrations = {
		create: {
			up: ({ schema }) => schema.createTable('customers', (table) => {
				table.increments('id');
				table.text('item');
			}),
			down: ({ schema }) => schema.dropTable('customers'),
		},
		// drops the default of what it alters, and sets it again
		widen: {
			up: ({ schema }) => schema.alterTable('customers', (table) => {
				table.bigInteger('id').defaultTo(drawn).alter({ alterNullable: false });
				table.string('item').alter();
				table.text('note');
			}),
			down: ({ schema }) => schema.alterTable('customers', (table) => {
				table.integer('id').defaultTo(drawn).alter({ alterNullable: false });
				table.text('item').alter();
				table.dropColumn('note');
			}),
		},
	};
	const source = (...names) => ({
		migrationSource: {
			getMigrations: async () => names,
			getMigrationName: (name) => name,
			getMigration: async (name) => migrations[name],
		},
	});
	return {
		update: () => knex.migrate.latest(source('create')),
		change: () => knex.migrate.latest(source('create', 'widen')),
		back: () => knex.migrate.rollback(source('create', 'widen')),
		async insert() {
			await knex('customers').insert([{ id: 1 }, { id: 2 }, { id: 3 }]);
			const rows = await knex('customers').insert([{ item: 'tea' }, { item: 'milk' }]).returning('id');
			return rows.map(({ id }) => id).join(' ');
		},
		close: () => knex.destroy(),
	};
}

const schema = await { typeorm, mikroorm, sequelize, knex }[tool]();
const result = await schema[what]();
if (typeof result === 'string') process.stdout.write(result);
await schema.close();
