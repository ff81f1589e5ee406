// insert.mjs WRITER ROWS TABLE...: inserts rows through Prisma, and prints the ids it has.
// insert.mjs create: makes the tables as `prisma migrate` writes them.
// insert.mjs numbers: saves invoices.
// insert.mjs tasks|databases|models|failed|moved|short ROWS TABLE...: inserts rows in a case of OrmTest.

import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.js';
import { hiloRanges } from './hiloRanges.mjs';

const BATCH = 20; // a transaction

// Gives a client, and what gives its ids.
function connect(database) {
	const pool = new pg.Pool({ host: process.env.ORM_HOST, port: Number(process.env.ORM_PORT), user: 'postgres', database });
	const client = new PrismaClient({
		adapter: new PrismaPg(pool, { disposeExternalPool: true }),
		transactionOptions: { maxWait: 30_000, timeout: 30_000 },
	});
	return [client, hiloRanges(pool), pool];
}

const [prisma, nextId, pool] = connect('postgres');

// Each inserts a batch and gives the ids.
const ways = {
	async by_default(tx, writer) {
		const data = Array.from({ length: BATCH - 1 }, () => ({ writer }));
		const rows = await tx.byDefault.createManyAndReturn({ data });
		rows.push(await tx.byDefault.create({ data: { writer } }));
		return rows.map((row) => row.id);
	},
	async by_range(tx, writer) {
		const data = [];
		for (let i = 0; i < BATCH; i++) data.push({ id: await nextId(tx, 'by_range'), writer });
		await tx.byRange.createMany({ data });
		return data.map((row) => row.id);
	},
};

// Each inserts a row and gives it.
const one = {
	by_default: (tx, writer) => tx.byDefault.create({ data: { writer } }),
	by_range: async (tx, writer, next) => tx.byRange.create({ data: { id: await next(tx, 'by_range'), writer } }),
	by_other: async (tx, writer, next) => tx.byOther.create({ data: { id: await next(tx, 'by_other'), writer } }),
};

// Inserts rows, and tries again where it fails.
async function again(insertOne, rows) {
	for (let tries = 2 * rows; rows > 0 && tries > 0; tries--) {
		await insertOne(prisma, nextId).then(() => { rows--; }, (error) => console.log(`failed ${error.message}`));
	}
}

async function numbers() {
	const invoice = await prisma.invoice.create({ data: { customer: 7, state: 'posted', total: 10 } });
	console.log(invoice.number);
	const change = (id, data) => prisma.invoice.update({ where: { id }, data }).then(({ number }) => console.log(number));
	await change(invoice.id, { total: 20 });
	const draft = await prisma.invoice.create({ data: { customer: 7, state: 'draft', total: 10 } });
	await change(draft.id, { state: 'posted' });
	await change(draft.id, { total: 20 });
}

// Each is a case of OrmTest, and inserts rows in transactions of their own.
const cases = {
	async tasks(insertOne, rows) {
		await Promise.all(Array.from({ length: 32 }, async () => {
			for (let row = 0; row < rows; row++) await insertOne(prisma, nextId);
		}));
	},
	async databases(insertOne, rows) {
		const [other, nextOther] = connect('other');
		for (let row = 0; row < rows; row++) await (row % 2 ? insertOne(other, nextOther) : insertOne(prisma, nextId));
		await other.$disconnect();
	},
	async models(insertOne, rows, tables) {
		for (let row = 0; row < rows; row++) await insertOne(prisma, nextId, tables[row % tables.length]);
	},
	failed: again,
	moved: again,
	async short(insertOne, rows) {
		for (let row = 0; row < rows; row++) await insertOne(prisma, hiloRanges(pool));
	},
};

const [writer, rows, ...tables] = process.argv.slice(2);

if (writer === 'create') {
	for (const table of Object.keys(one)) {
		await prisma.$executeRawUnsafe(
			`CREATE TABLE ${table} (id BIGINT NOT NULL DEFAULT hilo_next('${table}'), writer TEXT NOT NULL, PRIMARY KEY (id))`);
	}
}
if (writer === 'numbers') await numbers();
if (cases[writer]) {
	const all = tables.splice(0);
	await cases[writer](async (client, next, table = all[0]) => {
		const { id } = await client.$transaction((tx) => one[table](tx, `program-${writer}`, next));
		console.log(`${table} ${id}`);
	}, Number(rows), all);
}
for (const table of tables) {
	for (let row = 0; row < Number(rows); row += BATCH) {
		const rolledBack = new Error('rolled back');
		await prisma.$transaction(async (tx) => { await ways[table](tx, writer); throw rolledBack; })
			.catch((error) => { if (error !== rolledBack) throw error; });
		for (const id of await prisma.$transaction((tx) => ways[table](tx, writer))) console.log(`${table} ${id}`);
	}
}
await prisma.$disconnect();
