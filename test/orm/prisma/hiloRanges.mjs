// Gives an allocator of ids from ranges of a generator; a rollback does not bring them back.
export function hiloRanges(prisma, generator) {
	let next = 1n, high = 0n, refill = null;
	return async function nextId() {
		while (next > high) {
			refill ??= prisma.$queryRaw`SELECT low, high FROM hilo_next_range(${generator})`
				.then(([range]) => { next = range.low; high = range.high; })
				.finally(() => { refill = null; });
			await refill;
		}
		return next++;
	};
}
