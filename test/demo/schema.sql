-- :id is the type of the packages' key, and its default

CREATE TABLE packages (
	id :id PRIMARY KEY,
	name text NOT NULL,
	version text NOT NULL,
	architecture text NOT NULL,
	section text,
	priority text,
	installed_size bigint,
	description text
);

CREATE TABLE dependencies (
	package_id bigint NOT NULL REFERENCES packages,
	position int NOT NULL,
	choice int NOT NULL,		-- the same for alternatives
	kind text NOT NULL,
	target text NOT NULL,
	version text,
	PRIMARY KEY (package_id, position)
);
