// Gives an allocator of ids from ranges in the database of a pool of pg, for transactions of a client on
// that pool; a rollback does not bring them back. A new connection may lead to another database.
export function hiloRanges(pool) {
	let held = Object.create(null);
	pool.on('connect', () => { held = Object.create(null); });
	return async function nextId(tx, generator) {
		const ids = held[generator] ??= [];
		if (ids.length === 0) {
			const [{ low, high }] = await tx.$queryRaw`SELECT low, high FROM hilo_next_range(${generator})`;
			for (let id = low; id <= high; id++) ids.push(id);
		}
		return ids.shift();
	};
}
