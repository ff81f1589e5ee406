// insert.mjs WRITER ROWS TABLE...: inserts rows through Prisma, and prints the ids it has.
// insert.mjs create: makes the tables as `prisma migrate` writes them.
// insert.mjs numbers: saves invoices.
// insert.mjs databases ROWS known: inserts rows into two databases by turns.

import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

const BATCH = 20; // a transaction

function connect(database) {
	const adapter = new PrismaPg({ host: process.env.ORM_HOST, port: Number(process.env.ORM_PORT), user: 'postgres', database });
	return new PrismaClient({ adapter, transactionOptions: { maxWait: 30_000, timeout: 30_000 } });
}

const prisma = connect('postgres');

// Each inserts rows and gives their ids.
const ways = {
	async by_default(tx, writer) {
		const data = Array.from({ length: BATCH - 1 }, () => ({ writer }));
		const rows = await tx.byDefault.createManyAndReturn({ data });
		rows.push(await tx.byDefault.create({ data: { writer } }));
		return rows.map((row) => row.id);
	},
	async known(tx, writer, count = BATCH) {
		const ids = await tx.$queryRaw`SELECT hilo_next('known', ${count}) AS id`;
		await tx.known.createMany({ data: ids.map(({ id }) => ({ id, writer })) });
		return ids.map(({ id }) => id);
	},
};

async function numbers() {
	const invoice = await prisma.invoice.create({ data: { customer: 7, state: 'posted', total: 10 } });
	console.log(invoice.number);
	const change = (id, data) => prisma.invoice.update({ where: { id }, data }).then(({ number }) => console.log(number));
	await change(invoice.id, { total: 20 });
	const draft = await prisma.invoice.create({ data: { customer: 7, state: 'draft', total: 10 } });
	await change(draft.id, { state: 'posted' });
	await change(draft.id, { total: 20 });
}

async function databases(rows, table) {
	const clients = [prisma, connect('other')];
	for (let row = 0; row < rows; row++) {
		const [id] = await clients[row % 2].$transaction((tx) => ways[table](tx, 'program-databases', 1));
		console.log(`${table} ${id}`);
	}
	await clients[1].$disconnect();
}

const [writer, rows, ...tables] = process.argv.slice(2);

if (writer === 'create') {
	for (const table of Object.keys(ways)) {
		await prisma.$executeRawUnsafe(
			`CREATE TABLE ${table} (id BIGINT NOT NULL DEFAULT hilo_next('${table}'), writer TEXT NOT NULL, PRIMARY KEY (id))`);
	}
}
if (writer === 'numbers') await numbers();
if (writer === 'databases') await databases(Number(rows), tables.pop());
for (const table of tables) {
	for (let row = 0; row < Number(rows); row += BATCH) {
		const rolledBack = new Error('rolled back');
		await prisma.$transaction(async (tx) => { await ways[table](tx, writer); throw rolledBack; })
			.catch((error) => { if (error !== rolledBack) throw error; });
		for (const id of await prisma.$transaction((tx) => ways[table](tx, writer))) console.log(`${table} ${id}`);
	}
}
await prisma.$disconnect();
