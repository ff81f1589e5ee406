// insert.mjs WRITER ROWS TABLE...: inserts rows through Prisma, and prints the ids it has.
// insert.mjs create: makes the tables as `prisma migrate` writes them.

import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';
import { hiloRanges } from './hiloRanges.mjs';

const BATCH = 20; // a transaction

const prisma = new PrismaClient({
	adapter: new PrismaPg({
		host: process.env.ORM_HOST, port: Number(process.env.ORM_PORT), user: 'postgres', database: 'postgres',
	}),
});
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
		for (let i = 0; i < BATCH; i++) data.push({ id: await nextId(), writer });
		await tx.byRange.createMany({ data });
		return data.map((row) => row.id);
	},
};

const [writer, rows, ...tables] = process.argv.slice(2);

if (writer === 'create') {
	for (const table of Object.keys(ways)) {
		await prisma.$executeRawUnsafe(
			`CREATE TABLE ${table} (id BIGINT NOT NULL DEFAULT hilo_next('${table}'), writer TEXT NOT NULL, PRIMARY KEY (id))`);
	}
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
