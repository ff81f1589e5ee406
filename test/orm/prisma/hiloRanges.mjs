// Gives an allocator of ids from ranges of a generator in the database of a client; a rollback does not
// bring them back.
export function hiloRanges(prisma, generator) {
	const ids = [];
	return async function nextId(tx = prisma) {
		if (ids.length === 0) {
			const [{ low, high }] = await tx.$queryRaw`SELECT low, high FROM hilo_next_range(${generator})`;
			for (let id = low; id <= high; id++) ids.push(id);
		}
		return ids.shift();
	};
}
