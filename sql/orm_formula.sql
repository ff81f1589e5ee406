/*
 * Which ids each ORM takes for what its source holds: the vectors of the ORMs'
 * own sources, then the ends of bigint.  What a source gives that has no ids is passed
 * over: the ids are those of the next.
 */
CREATE TEMP TABLE vector (n int GENERATED ALWAYS AS IDENTITY, style text, block bigint,
                          stored bigint, low bigint, high bigint, initial bigint DEFAULT 1);
INSERT INTO vector (style, block, stored, low, high) VALUES
-- sequences: what nextval gives
('efcore', 10, 1, 1, 10), ('efcore', 10, 11, 11, 20), ('efcore', 10, 21, 21, 30),
('hibernate-pooled', 50, 1, 1, 1), ('hibernate-pooled', 50, 51, 2, 51), ('hibernate-pooled', 50, 101, 52, 101),
('hibernate-pooled', 10, 1, 1, 1), ('hibernate-pooled', 10, 11, 2, 11), ('hibernate-pooled', 10, 21, 12, 21),
('hibernate-pooled-lo', 50, 1, 1, 50), ('hibernate-pooled-lo', 50, 51, 51, 100), ('hibernate-pooled-lo', 50, 101, 101, 150),
('hibernate-pooled-lotl', 50, 51, 51, 100),
('hibernate-hilo', 50, 1, 1, 50), ('hibernate-hilo', 50, 2, 51, 100), ('hibernate-hilo', 50, 3, 101, 150), ('hibernate-hilo', 50, 0, 1, 50),
('hibernate-hilo', 10, 1, 1, 10), ('hibernate-hilo', 10, 2, 11, 20), ('hibernate-hilo', 10, 3, 21, 30),
('hibernate-legacy-hilo', 9, 0, 1, 9), ('hibernate-legacy-hilo', 9, 1, 10, 19), ('hibernate-legacy-hilo', 9, 2, 20, 29), ('hibernate-legacy-hilo', 9, 3, 30, 39),
('hibernate-none', 1, 1, 1, 1), ('hibernate-none', 1, 2, 2, 2), ('hibernate-none', 1, 3, 3, 3),
('hibernate4-pooled', 10, 1, 1, 10), ('hibernate4-pooled', 10, 11, 1, 10), ('hibernate4-pooled', 10, 21, 11, 20), ('hibernate4-pooled', 10, 31, 21, 30),
('nhibernate-pooled', 10, 1, 1, 10), ('nhibernate-pooled', 10, 11, 1, 10), ('nhibernate-pooled', 10, 21, 11, 20), ('nhibernate-pooled', 10, 31, 21, 30), ('nhibernate-pooled', 10, 41, 31, 40),
('nhibernate-pooled-lo', 10, 1, 1, 10), ('nhibernate-pooled-lo', 10, 11, 11, 20),
('nhibernate-seqhilo', 9, 1, 10, 19), ('nhibernate-seqhilo', 9, 2, 20, 29), ('nhibernate-seqhilo', 49, 1, 50, 99), ('nhibernate-seqhilo', 0, 7, 7, 7),
('doctrine', 10, 1, 1, 10), ('doctrine', 10, 11, 11, 20), ('doctrine', 10, 21, 21, 30),
('eclipselink', 50, 50, 1, 50), ('eclipselink', 50, 100, 51, 100), ('eclipselink', 50, 150, 101, 150),
('eclipselink', 10, 10, 1, 10), ('eclipselink', 10, 20, 11, 20), ('eclipselink', 10, 30, 21, 30),
('eclipselink-start-at-nextval', 50, 1, 1, 50), ('eclipselink-start-at-nextval', 50, 51, 51, 100),
('openjpa', 50, 51, 51, 100), ('datanucleus', 10, 11, 11, 20), ('cayenne', 20, 200, 200, 219), ('cayenne', 20, 220, 220, 239),
-- tables: what the row holds
('hibernate-table', 50, 0, 1, 1), ('hibernate-table', 50, 50, 2, 51), ('hibernate-table', 50, 100, 52, 101),
('hibernate-table-pooled', 50, 50, 2, 51),
('hibernate-table-pooled-lo', 50, 0, 1, 50), ('hibernate-table-pooled-lo', 50, 50, 51, 100),
('hibernate-table-hilo', 50, 0, 1, 50), ('hibernate-table-hilo', 50, 1, 51, 100),
('hibernate-table-legacy-hilo', 9, 0, 10, 19), ('hibernate-table-legacy-hilo', 9, 1, 20, 29),
('hibernate-table-none', 1, 0, 1, 1), ('hibernate-table-none', 1, 1, 2, 2),
('hibernate-table-stored-next', 50, 1, 1, 1), ('hibernate-table-stored-next', 50, 51, 2, 51),
('hibernate-table-pooled-lo-stored-next', 50, 1, 1, 50), ('hibernate-table-hilo-stored-next', 50, 2, 51, 100),
('hibernate-table-legacy-hilo-stored-next', 9, 1, 10, 19), ('hibernate-table-none-stored-next', 1, 2, 2, 2),
('hibernate-sequence-table', 50, 1, 1, 1), ('hibernate-sequence-table', 50, 51, 2, 51), ('hibernate-sequence-table-hilo', 50, 2, 51, 100),
('hibernate-table-pooled-lotl', 50, 50, 51, 100), ('hibernate-table-pooled-stored-next', 50, 51, 2, 51),
('hibernate-table-pooled-lotl-stored-next', 50, 51, 51, 100), ('hibernate-sequence-table-pooled', 50, 101, 52, 101),
('hibernate-sequence-table-pooled-lo', 50, 51, 51, 100), ('hibernate-sequence-table-pooled-lotl', 50, 51, 51, 100),
('hibernate-sequence-table-legacy-hilo', 9, 1, 10, 19), ('hibernate-sequence-table-none', 1, 3, 3, 3),
('hibernate-unique-key', 32767, 0, 1, 32767), ('hibernate-unique-key', 32767, 1, 32768, 65535), ('hibernate-unique-key', 32767, 2, 65536, 98303),
('hibernate-multiple-hilo', 49, 0, 1, 49), ('hibernate-multiple-hilo', 49, 1, 50, 99),
('nhibernate-hilo', 99, 0, 1, 99), ('nhibernate-hilo', 99, 1, 100, 199), ('nhibernate-hilo', 99, 2, 200, 299), ('nhibernate-hilo', 99, 3, 300, 399),
('nhibernate-hilo', 32767, 1, 32768, 65535), ('nhibernate-hilo', 32767, 2, 65536, 98303), ('nhibernate-hilo', 32767, 3, 98304, 131071),
('nhibernate-enhanced-table', 10, 1, 1, 10), ('nhibernate-enhanced-table', 10, 11, 1, 10), ('nhibernate-enhanced-table', 10, 21, 11, 20),
('nhibernate-enhanced-table-pooled-lo', 10, 11, 11, 20), ('nhibernate-enhanced-table-none', 1, 5, 5, 5),
('marten', 1000, -1, 1, 1000), ('marten', 1000, 0, 1001, 2000), ('marten', 1000, 1, 2001, 3000),
('marten', 10, -1, 1, 10), ('marten', 10, 0, 11, 20), ('marten', 10, 1, 21, 30),
('eclipselink-table', 50, 0, 1, 50), ('eclipselink-table', 50, 50, 51, 100), ('eclipselink-table', 50, 100, 101, 150),
('openjpa-table', 50, 1, 1, 50), ('openjpa-table', 50, 51, 51, 100),
('datanucleus-table', 5, 1, 1, 5), ('datanucleus-table', 5, 6, 6, 10),
('camunda', 100, 1, 1, 100), ('camunda', 100, 101, 101, 200),
('classic', 1000, 0, 1, 999), ('classic', 1000, 1, 1000, 1999), ('classic', 1000, 2, 2000, 2999);
-- the first value is not 1
INSERT INTO vector (style, block, stored, low, high, initial) VALUES
('hibernate-pooled', 50, 1000, 1000, 1000, 1000), ('hibernate-pooled', 50, 1050, 1001, 1050, 1000),
('hibernate-pooled', 50, 1, 1, 1, 1000),
('hibernate-table', 50, 999, 1000, 1000, 1000), ('hibernate-table', 50, 1049, 1001, 1050, 1000),
('nhibernate-pooled', 10, 1000, 1000, 1009, 1000), ('nhibernate-pooled', 10, 1010, 1000, 1009, 1000);

-- ids below 1 are never handed out
INSERT INTO vector (style, block, stored, low, high) VALUES
('efcore', 10, -4, 1, 5), ('efcore', 10, -20, 1, 9), ('eclipselink', 10, 1, 1, 1), ('hibernate-hilo', 10, -1, 1, 10),
('hibernate-legacy-hilo', 10, -1, 1, 10), ('nhibernate-pooled', 10, 5, 1, 4), ('classic', 10, 0, 1, 9);
-- the ends of bigint: what fits of a block that begins, nothing of one that does not
INSERT INTO vector (style, block, stored, low, high) VALUES
('efcore', 10, 9223372036854775807, 9223372036854775807, 9223372036854775807),
('efcore', 10, 9223372036854775800, 9223372036854775800, 9223372036854775807), ('efcore', 10, -9223372036854775808, NULL, NULL),
('hibernate-pooled', 10, 9223372036854775807, 9223372036854775798, 9223372036854775807),
('hibernate-pooled', 10, -9223372036854775808, NULL, NULL), ('nhibernate-pooled', 10, -9223372036854775808, NULL, NULL),
('hibernate-hilo', 10, 922337203685477580, 9223372036854775791, 9223372036854775800),
('hibernate-hilo', 10, 922337203685477581, 9223372036854775801, 9223372036854775807),
('hibernate-hilo', 10, 922337203685477582, NULL, NULL), ('hibernate-hilo', 10, -9223372036854775808, NULL, NULL),
('nhibernate-seqhilo', 9, 922337203685477580, 9223372036854775800, 9223372036854775807),
('nhibernate-seqhilo', 9, 922337203685477581, NULL, NULL),
('marten', 1, 9223372036854775807, NULL, NULL), ('marten', 1, 9223372036854775805, 9223372036854775807, 9223372036854775807),
('eclipselink-table', 1, 9223372036854775807, NULL, NULL),
('eclipselink-table', 1, 9223372036854775806, 9223372036854775807, 9223372036854775807);

-- hilo takes them: the first block of a source that holds the value
CREATE TABLE source (key text PRIMARY KEY, value bigint, rev_ int);
CREATE TABLE taken (n int, low bigint, high bigint, error text);
CREATE FUNCTION take(n int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO taken SELECT n, low, high FROM hilo_next_range('formula');
EXCEPTION WHEN OTHERS THEN
	INSERT INTO taken VALUES (n, NULL, NULL, sqlerrm);
END $$;
SET client_min_messages = error;
DO $$
DECLARE
	v vector;
BEGIN
	FOR v IN SELECT * FROM vector LOOP
		IF v.style ~ 'table|hibernate-(unique|multiple|hilo)|marten|camunda|classic' AND v.style <> 'hibernate-hilo' THEN
			DELETE FROM source;
			INSERT INTO source VALUES ('row', v.stored, 0);
			COMMIT;
			PERFORM hilo_adopt_table_tag('formula', 'source', v.style, v.block, 'key', 'row', 'value', nullif(v.initial, 1));
		ELSE
			EXECUTE format('CREATE SEQUENCE formula_seq INCREMENT %s MINVALUE -9223372036854775808 START %s',
				CASE WHEN v.style ~ 'hilo' THEN 1 ELSE v.block END, v.initial);
			PERFORM hilo_adopt_sequence_tag('formula', 'formula_seq', v.style, v.block), setval('formula_seq', v.stored, false);
		END IF;
		COMMIT;
		PERFORM take(v.n), hilo_drop('formula');
		DROP SEQUENCE IF EXISTS formula_seq;
		COMMIT;
	END LOOP;
END $$;
RESET client_min_messages;
-- no row: each gives what it should
SELECT v.*, t.* FROM vector v JOIN taken t USING (n) WHERE (v.low, v.high) IS DISTINCT FROM (t.low, t.high) ORDER BY v.n;
SELECT count(*), count(error) AS errors, count(DISTINCT style) FROM vector JOIN taken USING (n);
SELECT style, stored, error FROM vector JOIN taken USING (n) WHERE error <> '' ORDER BY n;
DROP TABLE source, taken;
DROP FUNCTION take;

-- what a setting cannot be
CREATE SEQUENCE formula_seq;
SELECT hilo_adopt_sequence_tag('formula', 'formula_seq', 'efcore', 0);
SELECT hilo_adopt_sequence_tag('formula', 'formula_seq', 'nhibernate-seqhilo', -1);
SELECT hilo_adopt_sequence_tag('formula', 'formula_seq', 'nhibernate-seqhilo', 9223372036854775807);
SELECT hilo_adopt_sequence_tag('formula', 'formula_seq', 'hibernate-none', 2);
DROP SEQUENCE formula_seq;
