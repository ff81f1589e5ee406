const { ORM_HOST, ORM_PORT } = process.env;

export default {
	dialect: 'postgresql',
	schema: './drizzle.ts',
	out: './out',
	dbCredentials: { url: `postgresql://postgres@${ORM_HOST}:${ORM_PORT}/drizzle` },
};
