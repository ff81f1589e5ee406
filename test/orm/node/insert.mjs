// insert.mjs WRITER ROWS TABLE...: inserts rows through the ORM that the table is for,
// or without one, and prints the ids that it has.
// insert.mjs create: makes the tables.  insert.mjs numbers 0 TABLE: saves invoices.
// insert.mjs types 0 TABLE: prints the type of its ids.
// insert.mjs databases ROWS plain: inserts rows into two databases by turns.

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

async function knex() {
	const { default: open } = await import('knex');
	const knex = open({ client: 'pg', connection });
	return {
		async save(changes, invoice) {
			const query = invoice ? knex('invoices').where({ id: invoice.id }).update(changes) : knex('invoices').insert(changes);
			return (await query.returning('*'))[0];
		},
		create: () => knex.schema.createTable('knex', (table) => {
			table.bigInteger('id').primary().defaultTo(knex.raw("hilo_next('knex')"));
			table.text('writer');
		}),
		insert: (writer, fail) => knex.transaction(async (transaction) => {
			const rows = await transaction('knex').insert(Array.from({ length: ROWS }, () => ({ writer }))).returning('id');
			if (fail) throw fail;
			return rows.map((row) => row.id);
		}),
		end: () => knex.destroy(),
	};
}

async function objection() {
	const { default: open } = await import('knex');
	const { Model } = await import('objection');
	const database = open({ client: 'pg', connection });
	Model.knex(database);
	class Item extends Model { static tableName = 'objection'; }
	class Invoice extends Model { static tableName = 'invoices'; }
	return {
		save: (changes, invoice) => (invoice ? invoice.$query().patchAndFetch(changes) : Invoice.query().insertAndFetch(changes)),
		create: () => database.raw("CREATE TABLE objection (id bigint PRIMARY KEY DEFAULT hilo_next('objection'), writer text)"),
		insert: (writer, fail) => Item.transaction(async (transaction) => {
			const items = await Item.query(transaction).insert(Array.from({ length: ROWS - 1 }, () => ({ writer })));
			items.push(await Item.query(transaction).insert({ writer }));
			if (fail) throw fail;
			return items.map((item) => item.id);
		}),
		end: () => database.destroy(),
	};
}

// SQL by hand: an id comes back by RETURNING, or is known before the row is sent.
async function plain(database = 'postgres') {
	const pool = new pg.Pool({ ...connection, database });

	async function insert(writer, count, fail) {
		const client = await pool.connect();
		try {
			await client.query('BEGIN');
			const { rows } = await client.query("SELECT hilo_next('plain', $1) AS id", [count]);
			const ids = rows.map(({ id }) => id);
			await client.query('INSERT INTO plain (id, writer) SELECT id, $2 FROM unnest($1::bigint[]) id', [ids, writer]);
			const { rows: [row] } = await client.query('INSERT INTO plain (writer) VALUES ($1) RETURNING id', [writer]);
			await client.query(fail ? 'ROLLBACK' : 'COMMIT');
			if (fail) throw fail;
			return [...ids, row.id];
		} finally {
			client.release();
		}
	}
	return {
		create: () => pool.query("CREATE TABLE plain (id bigint PRIMARY KEY DEFAULT hilo_next('plain'), writer text)"),
		insert: (writer, fail) => insert(writer, ROWS - 1, fail),
		insertTwo: (writer) => insert(writer, 1),
		end: () => pool.end(),
	};
}

const cases = {
	async numbers(way) {
		const print = (invoice) => { console.log(invoice.number); return invoice; };
		print(await way.save({ total: 20 }, print(await way.save({ customer: 7, state: 'posted', total: 10 }))));
		const draft = await way.save({ customer: 7, state: 'draft', total: 10 });
		print(await way.save({ total: 20 }, print(await way.save({ state: 'posted' }, draft))));
	},
	async databases(way, rows) {
		const ways = [way, await plain('other')];
		for (let row = 0; row < rows; row += 2) {
			for (const id of await ways[row / 2 % 2].insertTwo('program-databases')) console.log(`plain ${id}`);
		}
		await ways[1].end();
	},
	async types(way) {
		console.log(typeof (await way.insert('types'))[0]);
	},
	async 'types as numbers'(way) {
		pg.types.setTypeParser(pg.types.builtins.INT8, Number);
		await this.types(way);
	},
};

const ways = { typeorm, sequelize, drizzle, mikroorm, kysely, knex, objection, plain };
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
