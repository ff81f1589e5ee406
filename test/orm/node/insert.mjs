// insert.mjs WRITER ROWS TABLE...: inserts rows through the ORM that the table is for,
// or without one, and prints the ids that it has.
// insert.mjs create: makes the tables.  insert.mjs numbers 0 TABLE: saves invoices.
// insert.mjs tasks|databases|failed|moved|short ROWS plain: inserts rows in a case of OrmTest.

import assert from 'node:assert';
import pg from 'pg';

const connection = {
	host: process.env.ORM_HOST, port: Number(process.env.ORM_PORT), user: 'postgres', database: 'postgres',
};
const ROWS = 20; // a transaction

// Each opens what it needs and gives: a transaction of rows, which may be rolled back,
// and the ids that it knows of then; what saves a new invoice, or changes to one; and the end.

async function typeorm() {
	const { DataSource, EntitySchema } = await import('typeorm');
	const Item = new EntitySchema({
		name: 'Item', tableName: 'typeorm',
		columns: {
			id: { type: 'bigint', primary: true, default: () => "hilo_next('typeorm')" },
			writer: { type: 'text' },
		},
	});
	const Invoice = new EntitySchema({
		name: 'Invoice', tableName: 'invoices', synchronize: false,
		columns: {
			id: { type: 'bigint', primary: true, generated: 'identity' },
			customer: { type: 'int' }, state: { type: 'text' }, total: { type: 'int' },
			number: { type: 'int', nullable: true, insert: false, update: false },
		},
	});
	const source = await new DataSource({
		type: 'postgres', ...connection, username: connection.user, entities: [Item, Invoice],
	}).initialize();
	const invoices = source.getRepository(Invoice);
	return {
		create: () => source.synchronize(),
		async save(changes, invoice = invoices.create()) {
			Object.assign(invoice, changes);
			await invoices.save(invoice);
			Object.assign(invoice, await invoices.findOneBy({ id: invoice.id }));
			return invoice;
		},
		insert: (writer, fail) => source.transaction(async (manager) => {
			const items = Array.from({ length: ROWS }, () => manager.create(Item, { writer }));
			await manager.insert(Item, items.slice(5));
			for (const item of items.slice(0, 5)) await manager.insert(Item, item);
			if (fail) throw fail;
			return items.map((item) => item.id);
		}),
		end: () => source.destroy(),
	};
}

async function sequelize() {
	const { Sequelize, DataTypes } = await import('sequelize');
	const database = new Sequelize({ dialect: 'postgres', ...connection, username: connection.user, logging: false });
	const Item = database.define('Item', {
		id: { type: DataTypes.BIGINT, primaryKey: true, defaultValue: Sequelize.literal("hilo_next('sequelize')") },
		writer: DataTypes.TEXT,
	}, { tableName: 'sequelize', timestamps: false });
	const Invoice = database.define('Invoice', {
		customer: DataTypes.INTEGER, state: DataTypes.TEXT, total: DataTypes.INTEGER,
		number: DataTypes.INTEGER,
	}, { tableName: 'invoices', timestamps: false });
	return {
		async save(changes, invoice = Invoice.build()) {
			invoice.set(changes);
			await invoice.save({ returning: true });
			return invoice;
		},
		create: () => Item.sync().then(() => Item.sync({ alter: true })),
		insert: (writer, fail) => database.transaction(async (transaction) => {
			const items = await Item.bulkCreate(Array.from({ length: ROWS - 1 }, () => ({ writer })),
				{ transaction, returning: true });
			items.push(await Item.create({ writer }, { transaction }));
			if (fail) throw fail;
			return items.map((item) => item.id);
		}),
		end: () => database.close(),
	};
}

async function drizzle() {
	const { drizzle: open } = await import('drizzle-orm/node-postgres');
	const { pgTable, bigint, integer, text } = await import('drizzle-orm/pg-core');
	const { eq, sql } = await import('drizzle-orm');
	const pool = new pg.Pool(connection);
	const database = open(pool);
	const items = pgTable('drizzle', {
		id: bigint({ mode: 'bigint' }).primaryKey().default(sql`hilo_next('drizzle')`),
		writer: text(),
	});
	const invoices = pgTable('invoices', {
		id: bigint({ mode: 'bigint' }).primaryKey().generatedByDefaultAsIdentity(),
		customer: integer(), state: text(), total: integer(), number: integer(),
	});
	return {
		async save(changes, invoice) {
			const query = invoice ? database.update(invoices).set(changes).where(eq(invoices.id, invoice.id))
				: database.insert(invoices).values(changes);
			return (await query.returning())[0];
		},
		create: () => pool.query("CREATE TABLE drizzle (id bigint PRIMARY KEY DEFAULT hilo_next('drizzle'), writer text)"),
		insert: (writer, fail) => database.transaction(async (transaction) => {
			const rows = await transaction.insert(items)
				.values(Array.from({ length: ROWS }, () => ({ writer }))).returning();
			if (fail) throw fail;
			return rows.map((row) => row.id);
		}),
		end: () => pool.end(),
	};
}

async function mikroorm() {
	const { MikroORM, EntitySchema } = await import('@mikro-orm/postgresql');
	const Item = new EntitySchema({
		name: 'Item', tableName: 'mikroorm',
		properties: {
			id: { type: 'bigint', primary: true, autoincrement: false, defaultRaw: "hilo_next('mikroorm'::regclass)" },
			writer: { type: 'text' },
		},
	});
	const Invoice = new EntitySchema({
		name: 'Invoice', tableName: 'invoices',
		properties: {
			id: { type: 'bigint', primary: true },
			customer: { type: 'integer' }, state: { type: 'text' }, total: { type: 'integer' },
			number: { type: 'integer', nullable: true },
		},
	});
	const orm = await MikroORM.init({
		...connection, dbName: connection.database, entities: [Item, Invoice],
		schemaGenerator: { ignoreSchema: ['hilo_internal'] },
	});
	const em = orm.em.fork();
	return {
		async save(changes, invoice = em.create('Invoice', changes)) {
			Object.assign(invoice, changes);
			await em.persist(invoice).flush();
			await em.refresh(invoice, { fields: ['number'] });
			return invoice;
		},
		create: () => orm.schema.create(),
		insert: (writer, fail) => orm.em.fork().transactional(async (em) => {
			const items = Array.from({ length: ROWS }, () => em.create('Item', { writer }));
			await em.persist(items).flush();
			if (fail) throw fail;
			return items.map((item) => item.id);
		}),
		end: () => orm.close(),
	};
}

async function kysely() {
	const { Kysely, PostgresDialect, sql } = await import('kysely');
	const database = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool(connection) }) });
	return {
		save(changes, invoice) {
			const query = invoice ? database.updateTable('invoices').set(changes).where('id', '=', invoice.id)
				: database.insertInto('invoices').values(changes);
			return query.returningAll().executeTakeFirst();
		},
		create: () => database.schema.createTable('kysely')
			.addColumn('id', 'bigint', (column) => column.primaryKey().defaultTo(sql`hilo_next('kysely')`))
			.addColumn('writer', 'text')
			.execute(),
		insert: (writer, fail) => database.transaction().execute(async (transaction) => {
			const rows = await transaction.insertInto('kysely')
				.values(Array.from({ length: ROWS }, () => ({ writer }))).returning('id').execute();
			if (fail) throw fail;
			return rows.map((row) => row.id);
		}),
		end: () => database.destroy(),
	};
}

// SQL by hand, as with Dapper: an id comes back by RETURNING, or is known before the
// row is sent.
async function plain(database = 'postgres') {
	const pool = new pg.Pool({ ...connection, database });
	const held = new WeakMap(); // of each connection, which is one to one database

	pool.on('error', () => {}); // of connections that nobody uses
	async function nextId(client) {
		const ids = held.get(client) ?? [];
		held.set(client, ids);
		if (ids.length === 0) {
			const { rows: [range] } = await client.query('SELECT low, high FROM hilo_next_range($1, 10)', ['plain']);
			for (let id = BigInt(range.low); id <= BigInt(range.high); id++) ids.push(id);
		}
		return ids.shift();
	}
	return {
		create: () => pool.query("CREATE TABLE plain (id bigint PRIMARY KEY DEFAULT hilo_next('plain'), writer text)"),
		async insert(writer, fail) {
			const client = await pool.connect();
			const ids = [];
			try {
				await client.query('BEGIN');
				for (let i = 1; i < ROWS; i++) ids.push(await nextId(client));
				await client.query('INSERT INTO plain SELECT id, $2 FROM unnest($1::bigint[]) id', [ids.map(String), writer]);
				const { rows: [row] } = await client.query('INSERT INTO plain (writer) VALUES ($1) RETURNING id', [writer]);
				ids.push(row.id);
				await client.query(fail ? 'ROLLBACK' : 'COMMIT');
			} finally {
				client.release();
			}
			if (fail) throw fail;
			return ids;
		},
		async insertOne(writer) {
			const client = await pool.connect();
			let lost;
			try {
				const id = await nextId(client);
				await client.query('INSERT INTO plain VALUES ($1, $2)', [id, writer]);
				console.log(`plain ${id}`);
			} catch (error) {
				lost = error;
				throw error;
			} finally {
				client.release(lost);
			}
		},
		end: () => pool.end(),
	};
}

// Inserts rows, and tries again where it fails.
async function again(writer, way, rows) {
	for (let tries = 2 * rows; rows > 0 && tries > 0; tries--) {
		await way.insertOne(writer).then(() => { rows--; }, (error) => console.log(`failed ${error.message}`));
	}
}

// Each is a case of OrmTest.
const cases = {
	async numbers(way) {
		const print = (invoice) => { console.log(invoice.number); return invoice; };
		print(await way.save({ total: 20 }, print(await way.save({ customer: 7, state: 'posted', total: 10 }))));
		const draft = await way.save({ customer: 7, state: 'draft', total: 10 });
		print(await way.save({ total: 20 }, print(await way.save({ state: 'posted' }, draft))));
	},
	async tasks(way, rows) {
		await Promise.all(Array.from({ length: 32 }, async () => {
			for (let row = 0; row < rows; row++) await way.insertOne('program-tasks');
		}));
	},
	async databases(way, rows) {
		const other = await plain('other');
		for (let row = 0; row < rows; row++) await (row % 2 ? other : way).insertOne('program-databases');
		await other.end();
	},
	failed: (way, rows) => again('program-failed', way, rows),
	moved: (way, rows) => again('program-moved', way, rows),
	async short(_, rows) {
		for (let row = 0; row < rows; row++) {
			const way = await plain();
			await way.insertOne('program-short');
			await way.end();
		}
	},
};

const ways = { typeorm, sequelize, drizzle, mikroorm, kysely, plain };
const [writer, rows, ...tables] = process.argv.slice(2);

for (const table of writer === 'create' ? Object.keys(ways) : tables) {
	const way = await ways[table]();
	if (writer === 'create') {
		await way.create();
	} else if (cases[writer]) {
		await cases[writer](way, Number(rows));
	} else {
		for (let row = 0; row < Number(rows); row += ROWS) {
			const fail = new Error('rolled back');
			await assert.rejects(way.insert(writer, fail), fail);
			for (const id of await way.insert(writer)) console.log(`${table} ${id}`);
		}
	}
	await way.end();
}
