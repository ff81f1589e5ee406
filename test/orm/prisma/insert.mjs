// insert.mjs WRITER ROWS TABLE...: inserts rows through Prisma, and prints the ids it has.
// insert.mjs create: makes the tables as `prisma migrate` writes them.
// insert.mjs tasks|databases|failed|short ROWS TABLE: inserts rows in a case of OrmTest.

import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';
import { hiloRanges } from './hiloRanges.mjs';

const BATCH = 20; // a transaction

const connect = (database) => new PrismaClient({
	adapter: new PrismaPg({ host: process.env.ORM_HOST, port: Number(process.env.ORM_PORT), user: 'postgres', database }),
	transactionOptions: { maxWait: 30_000, timeout: 30_000 },
});
const prisma = connect('postgres');
const nextId = hiloRanges(prisma, 'by_range');

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
		for (let i = 0; i < BATCH; i++) data.push({ id: await nextId(tx), writer });
		await tx.byRange.createMany({ data });
		return data.map((row) => row.id);
	},
};

// Each is a case of OrmTest, and inserts rows in transactions of their own.
const cases = {
	async tasks(insertOne, rows) {
		await Promise.all(Array.from({ length: 32 }, async () => {
			for (let row = 0; row < rows; row++) await insertOne(prisma, nextId);
		}));
	},
	async databases(insertOne, rows) {
		const other = connect('other');
		const nextOther = hiloRanges(other, 'by_range');
		for (let row = 0; row < rows; row++) await (row % 2 ? insertOne(other, nextOther) : insertOne(prisma, nextId));
		await other.$disconnect();
	},
	async failed(insertOne, rows) {
		for (let tries = 2 * rows; rows > 0 && tries > 0; tries--) {
			await insertOne(prisma, nextId).then(() => { rows--; }, (error) => console.log(`failed ${error.message}`));
		}
	},
	async short(insertOne, rows) {
		for (let row = 0; row < rows; row++) await insertOne(prisma, hiloRanges(prisma, 'by_range'));
	},
};

const [writer, rows, ...tables] = process.argv.slice(2);

if (writer === 'create') {
	for (const table of Object.keys(ways)) {
		await prisma.$executeRawUnsafe(
			`CREATE TABLE ${table} (id BIGINT NOT NULL DEFAULT hilo_next('${table}'), writer TEXT NOT NULL, PRIMARY KEY (id))`);
	}
}
if (cases[writer]) {
	const [table] = tables.splice(0);
	await cases[writer](async (client, next) => {
		const { id } = await client.$transaction(async (tx) => (table === 'by_range'
			? tx.byRange.create({ data: { id: await next(tx), writer: `program-${writer}` } })
			: tx.byDefault.create({ data: { writer: `program-${writer}` } })));
		console.log(`${table} ${id}`);
	}, Number(rows));
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
