// RavenDB's own client, told what to do: a command a line in, what it gave as
// JSON a line out.
//
//   open NAME URL DATABASE [SEPARATOR]
//       opens a document store
//   store NAME[,NAME...] TYPE SESSIONS COUNT
//       stores COUNT new entities in each of SESSIONS sessions of each document
//       store, all sessions at once; gives the ids, session after session
//   close NAME
//       disposes of the document store, which returns its ranges

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { DocumentStore } from 'ravendb';

const stores = new Map();

const commands = {
	open(name, url, database, separator) {
		const store = new DocumentStore(url, database);

		if (separator)
			store.conventions.identityPartsSeparator = separator;
		stores.set(name, store.initialize());
	},

	async store(names, type, sessions, count) {
		const opened = names.split(',').flatMap(name =>
			Array.from({ length: sessions }, () => stores.get(name).openSession()));
		const ids = await Promise.all(opened.map(session =>
			storeIn(session, type, count)));

		return ids.flat();
	},

	async close(name) {
		const disposed = once(stores.get(name), 'executorsDisposed');

		stores.get(name).dispose();
		await disposed;
	},
};

// The client makes the id when the entity is stored, before any changes are saved.
async function storeIn(session, type, count) {
	const Entity = { [type]: class {} }[type];
	const ids = [];

	for (let i = 0; i < count; i++) {
		const entity = new Entity();

		await session.store(entity);
		ids.push(entity.id);
	}
	return ids;
}

for await (const line of createInterface({ input: process.stdin })) {
	const [command, ...args] = line.split(' ');
	let outcome;

	try {
		outcome = await commands[command](...args) ?? null;
	} catch (error) {
		outcome = { error: error.message };
	}
	console.log(JSON.stringify(outcome));
}
