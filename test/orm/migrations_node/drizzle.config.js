const { ORM_HOST, ORM_PORT, ORM_MODELS } = process.env;

export default {
	dialect: 'postgresql',
	schema: `./drizzle_${ORM_MODELS}.ts`,
	out: './out',
	dbCredentials: { url: `postgresql://postgres@${ORM_HOST}:${ORM_PORT}/drizzle` },
};
