// migrate.mjs model|without_cast push|pull|reset|dev [MIGRATION...]: what `prisma db push`,
// `prisma db pull`, `prisma migrate reset` and `prisma migrate dev` have their engine do, in the database
// migrated.  The command itself runs the engine as a program, which is not in the package registry.

import { readFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import * as engine from './node_modules/@prisma/schema-engine-wasm/schema_engine_bg.js';

const { instance } = await WebAssembly.instantiate(
	readFileSync('node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm'), { './schema_engine_bg.js': engine });
engine.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const [models, command, ...migrations] = process.argv.slice(2);
const path = 'migrate.prisma';
const content = readFileSync(path, 'utf8').replace(models === 'without_cast' ? '::regclass' : '', '');
const filters = { externalTables: [], externalEnums: [] };

// the engine reads columns of type "char" (18), which the adapter takes for unknown
const { query } = pg.Pool.prototype;
pg.Pool.prototype.query = async function (...statement) {
	const result = await query.apply(this, statement);
	for (const field of result.fields ?? []) if (field.dataTypeID === 18) field.dataTypeID = pg.types.builtins.BPCHAR;
	return result;
};
const poolOf = (database) => new pg.Pool({
	host: process.env.ORM_HOST, port: Number(process.env.ORM_PORT), user: 'postgres', database,
});
const pool = poolOf('migrated');
const factory = new PrismaPg(pool);
// the adapter's own would drop the database before it leaves it
factory.connectToShadowDb = async () => {
	const shadow = poolOf('shadow');
	await pool.query('CREATE DATABASE shadow');
	return Object.assign(await new PrismaPg(shadow).connect(), {
		async dispose() {
			await shadow.end();
			await pool.query('DROP DATABASE shadow');
		},
	});
};

const prisma = await engine.SchemaEngine.new({ datamodels: [[path, content]] }, () => {},
	bindMigrationAwareSqlAdapterFactory(factory));
const commands = {
	async push() {
		const { executedSteps } = await prisma.schemaPush({ force: false, schema: { files: [{ path, content }] }, filters });
		console.log(executedSteps);
	},
	async pull() {
		const files = [{ path, content: content.slice(0, content.indexOf('model')) }];
		const { schema } = await prisma.introspect(
			{ schema: { files }, baseDirectoryPath: '.', force: true, compositeTypeDepth: 0, namespaces: null });
		console.log(schema.files[0].content);
	},
	async dev() {
		const migrationsList = {
			baseDir: 'migrations', shadowDbInitScript: '',
			lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
			migrationDirectories: migrations.map((value, i) => (
				{ path: `${i}_migration`, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } } })),
		};
		await prisma.applyMigrations({ migrationsList, filters });
		const { action } = await prisma.devDiagnostic({ migrationsList, filters });
		const { migrationScript } = await prisma.createMigration({
			draft: false, migrationName: 'next', migrationsList, schema: { files: [{ path, content }] }, filters });
		console.log(action.tag, migrationScript ?? 'nothing');
	},
	reset: () => prisma.reset({ filter: filters }),
};
await commands[command]();
process.exit(); // the engine keeps its connection
