// Reserves many ids, inserts a few rows, and returns the unused ids.

import pg from 'pg';

const client = new pg.Client({
	host: process.env.ORM_HOST, port: Number(process.env.ORM_PORT), user: 'postgres', database: 'postgres',
});
const items = ['tea', 'milk', 'bread'];

await client.connect();
const { rows: [range] } = await client.query(
	"SELECT low, high, range_no FROM hilo_next_range('orders', size => 10000)");
let lastUsed = Number(range.low) - 1;
for (const item of items) {
	if (lastUsed === Number(range.high)) throw new Error('too many items');
	await client.query('INSERT INTO orders (id, item) VALUES ($1, $2)', [++lastUsed, item]);
}
await client.query("SELECT hilo_return_range('orders', $1, $2, $3)", [range.high, lastUsed, range.range_no]);
await client.end();
