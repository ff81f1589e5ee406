import { bigint, bigserial, pgTable, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';

export const orders = pgTable('orders', {
	id: bigint({ mode: 'bigint' }).primaryKey().default(sql`hilo_next('orders'::regclass)`),
	item: text(),
});

export const customers = pgTable('customers', {
	id: bigserial({ mode: 'bigint' }).primaryKey(),
	item: text(),
});

export const notes = pgTable('notes', {
	id: bigint({ mode: 'bigint' }).primaryKey().default(sql`hilo_next('notes'::regclass)`),
	item: text(),
});
