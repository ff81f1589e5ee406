/*
 * Ranges for clients that hold them themselves: hilo_next_range,
 * hilo_return_range, hilo_next_hi
 */
CREATE FUNCTION last_of(generator text) RETURNS bigint LANGUAGE sql
	AS 'SELECT last FROM hilo_generators() WHERE name = generator';
CREATE ROLE regress_hilo_client;
CREATE ROLE regress_hilo_other;

-- The answer, as RavenDB's
SELECT hilo_create('Protocol');
SELECT prefix, low, high, last_size, server_tag, range_no > 0 AS range_no,
       last_range_at BETWEEN now() AND clock_timestamp() AS now
  FROM hilo_next_range('Protocol');
-- the prefix as the caller writes the name, the separator as set or as given
SELECT prefix, low, high FROM hilo_next_range('PROTOCOL', separator => '-');
SELECT prefix FROM hilo_next_range('protocol', separator => U&'\2192');
SET hilo.identity_parts_separator = ':';
SET hilo.node_tag = 'BC';
SELECT prefix, server_tag FROM hilo_next_range('protocol');
SELECT prefix FROM hilo_next_range('protocol', separator => '/');
RESET hilo.identity_parts_separator;
RESET hilo.node_tag;
SELECT prefix FROM hilo_next_range('protocol', separator => '');
SELECT prefix FROM hilo_next_range('protocol', separator => '|');
SELECT prefix FROM hilo_next_range('protocol', separator => '//');
SELECT prefix FROM hilo_next_range('protocol', separator => E'\n');
-- a size asked for is given, up to the generator's
SELECT low, high, last_size FROM hilo_next_range('protocol', 1);
SELECT high - low + 1 = 1048576 AS largest FROM hilo_next_range('protocol', 1048576);
SELECT last_of('Protocol') AS before \gset
SELECT * FROM hilo_next_range('protocol', 1048577);
SELECT * FROM hilo_next_range('protocol', 0);
SELECT * FROM hilo_next_range('protocol', -1);
SELECT * FROM hilo_next_range(NULL);
SELECT last_of('Protocol') - :before AS taken;
-- size decides over last_size
SELECT last_size FROM hilo_next_range('protocol', 5, 100, now());

-- Only the owner pushes the generator forward faster than by using it.
SELECT hilo_grant('protocol', 'public');
SET ROLE regress_hilo_client;
SELECT last_size FROM hilo_next_range('protocol', last_size => 9223372036854775807);
SELECT last_size FROM hilo_next_range('protocol', NULL, 9223372036854775807, now() + interval '1 hour');
SELECT last_size FROM hilo_next_range('protocol', NULL, 9223372036854775807, now() - interval '1 hour');
SELECT hilo_next_hi('protocol', 1048577);
SELECT 1 FROM hilo_next_range('protocol', last_max => 9223372036854775807);
RESET ROLE;
SELECT hilo_drop('protocol'), hilo_create('protocol'), hilo_grant('protocol', 'public');
SET ROLE regress_hilo_client;
SELECT * FROM hilo_next_range('protocol', last_max => 1);
SELECT last_of('protocol');
-- last_max up to last is what a client knows rightly
SELECT low, high FROM hilo_next_range('protocol');
SELECT low, high FROM hilo_next_range('protocol', last_max => 32);
SELECT low, high FROM hilo_next_range('protocol', last_max => 10);
SELECT low, high FROM hilo_next_range('protocol', last_max => -9223372036854775808);
SELECT low, high FROM hilo_next_range('protocol', last_max => NULL);
RESET ROLE;
SELECT low, high FROM hilo_next_range('protocol', last_max => 1000);
SELECT low, high FROM hilo_next_range('protocol', 10, last_max => 9223372036854775797);
SELECT low, high FROM hilo_next_range('protocol', 10, last_max => 9223372036854775807);
SELECT hilo_create('protocol_few', max_value => 100);
SELECT low, high FROM hilo_next_range('protocol_few', 10, last_max => 101);
SELECT low, high FROM hilo_next_range('protocol_few', 10, last_max => 95);
-- what is left, then an error
SELECT hilo_seed('protocol_few', 5, force => true);
SELECT low, high, last_size FROM hilo_next_range('protocol_few', 100);
SELECT low, high, last_size FROM hilo_next_range('protocol_few', 100);
SELECT last_of('protocol_few');

-- Given back: what is above last_used, if it is the top range, this session's.
SELECT hilo_create('protocol_return');
SELECT low, high FROM hilo_next_range('protocol_return', 10);
SELECT hilo_return_range('protocol_return', 10, 0), last_of('protocol_return');
SELECT hilo_return_range('protocol_return', 10, 11), last_of('protocol_return');
SELECT hilo_return_range('protocol_return', 10, -9223372036854775808);
SELECT hilo_return_range('protocol_return', 11, 4), hilo_return_range('protocol_return', 9, 4);
SELECT hilo_return_range('PROTOCOL_return', 10, 4), last_of('protocol_return');
-- once
SELECT hilo_return_range('protocol_return', 10, 4), hilo_return_range('protocol_return', 4, 2);
SELECT low, high FROM hilo_next_range('protocol_return', 10);
SELECT hilo_return_range('protocol_return', 10, 4), hilo_return_range('protocol_return', 14, 4);
-- all of it used: nothing comes back, and nothing is returnable after
SELECT hilo_return_range('protocol_return', 14, 14), last_of('protocol_return');
SELECT hilo_return_range('protocol_return', 14, 13);

-- With range_no: all of it too, by any session, and exactly that range.
SELECT low, high, range_no FROM hilo_next_range('protocol_return', 10) \gset
SELECT hilo_return_range('protocol_return', :high, :low - 2, :range_no),
       hilo_return_range('protocol_return', :high, :high + 1, :range_no),
       hilo_return_range('protocol_return', :high - 1, :low, :range_no),
       hilo_return_range('protocol_return', :high, :low, :range_no + 1),
       hilo_return_range('protocol_return', :high, :low, 0);
\c -
SELECT hilo_return_range('protocol_return', :high, :low);
SELECT hilo_return_range('protocol_return', :high, :low - 1, :range_no), last_of('protocol_return');
SELECT hilo_return_range('protocol_return', :high, :low - 1, :range_no);
-- clients with doubles hold each number
SELECT count(DISTINCT range_no), min(range_no) > 0 AS positive, max(range_no) < 1::bigint << 53 AS exact
  FROM generate_series(1, 100) i, hilo_next_range('protocol_numbers', i);
-- also of a range that comes from no window
SELECT range_no BETWEEN 1 AND 1::bigint << 53 AS numbered
  FROM hilo_next_range('protocol_numbers', 10, last_max => 1000000);
-- a number names one range for ever: not its successor with the same ids
SELECT low = :low AS same_low, high = :high AS same_high, range_no <> :range_no AS other_number
  FROM hilo_next_range('protocol_return', 10);
SELECT hilo_return_range('protocol_return', :high, :low - 1, :range_no);
-- nor after a forced seed, nor in another incarnation
SELECT low, high, range_no FROM hilo_next_range('protocol_return', 10) \gset
SELECT hilo_seed('protocol_return', :low - 1, force => true) > 0 AS seeded;
SELECT hilo_return_range('protocol_return', :high, :low, :range_no);
SELECT low = :low AS same_low, high = :high AS same_high FROM hilo_next_range('protocol_return', 10);
SELECT hilo_return_range('protocol_return', :high, :low, :range_no);
SELECT hilo_drop('protocol_return'), hilo_create('protocol_return');
SELECT low, high, range_no FROM hilo_next_range('protocol_return', 10) \gset
SELECT hilo_drop('protocol_return'), hilo_create('protocol_return');
SELECT low = :low AS same_low, high = :high AS same_high FROM hilo_next_range('protocol_return', 10);
SELECT hilo_return_range('protocol_return', :high, :low, :range_no);
-- without a number: not after drop and create either, though this session took a range before
SELECT hilo_drop('protocol_return'), hilo_create('protocol_return');
SELECT hilo_next_tag('protocol_return'), hilo_return_range('protocol_return', 32, 5);

-- Not what a session holds, nor a block of the Hi/Lo algorithm, nor below a later range.
SELECT range_no, low, high FROM hilo_next_range('protocol_return', 10) \gset
SELECT hilo_next_hi('protocol_return', 10);
SELECT hilo_return_range('protocol_return', 59, 50), hilo_return_range('protocol_return', :high, :low),
       hilo_return_range('protocol_return', :high, :low, :range_no);
SELECT last_of('protocol_return');
SELECT range_no, low, high FROM hilo_next_range('protocol_return', 10) \gset
SELECT low, high FROM hilo_next_range('protocol_return', 10);
SELECT hilo_return_range('protocol_return', :high, :low, :range_no);
-- the session's own release does not touch a client's
SELECT hilo_release('protocol_return'), last_of('protocol_return');
-- a seed that raises nothing leaves it, one that raises makes it unreturnable
SELECT range_no, low, high FROM hilo_next_range('protocol_return', 10) \gset
SELECT hilo_seed('protocol_return', 5) = :high AS nothing;
SELECT hilo_return_range('protocol_return', :high, :low, :range_no);
SELECT range_no, low, high FROM hilo_next_range('protocol_return', 10) \gset
SELECT hilo_seed('protocol_return', 1000);
SELECT hilo_return_range('protocol_return', 1000, :low, :range_no),
       hilo_return_range('protocol_return', :high, :low, :range_no);

-- Only to the role it went out to.
SELECT hilo_drop('protocol_return'), hilo_create('protocol_return'), hilo_grant('protocol_return', 'public');
SET ROLE regress_hilo_client;
SELECT range_no, low, high FROM hilo_next_range('protocol_return', 10) \gset
SET ROLE regress_hilo_other;
SELECT hilo_return_range('protocol_return', :high, :low, :range_no), hilo_return_range('protocol_return', :high, :low);
RESET ROLE;
SELECT hilo_return_range('protocol_return', :high, :low, :range_no);
SET ROLE regress_hilo_client;
SELECT hilo_return_range('protocol_return', :high, :low, :range_no);
RESET ROLE;

-- nor once more, when others have had its ids up to the top again
SELECT hilo_create('protocol_again', 'global');
SELECT low, high, range_no FROM hilo_next_range('protocol_again', 3) \gset
SELECT hilo_return_range('protocol_again', :high, :low - 1, :range_no);
SELECT array_agg(hilo_next_tag('protocol_again')) FROM generate_series(1, 3);
SELECT hilo_return_range('protocol_again', :high, :low - 1, :range_no), hilo_next_tag('protocol_again');
SELECT hilo_drop('protocol_again');

-- Not undone by a rollback.
BEGIN;
SELECT low, high FROM hilo_next_range('protocol_return', 10);
SELECT hilo_return_range('protocol_return', 11, 5);
ROLLBACK;
SELECT last_of('protocol_return');

SELECT hilo_return_range(NULL, 10, 5);
SELECT hilo_return_range('protocol_return', NULL, 5);
SELECT hilo_return_range('protocol_return', 10, NULL);

-- Hi/Lo
SELECT hilo_next_hi('protocol_hi', 1000), hilo_next_hi('Protocol_hi', 1000), last_of('protocol_hi');
SELECT hilo_next_hi('protocol_hi', 10), last_of('protocol_hi');
SELECT hilo_next_hi('protocol_hi', 1), last_of('protocol_hi');
SELECT low FROM hilo_next_range('protocol_hi', 1);
SELECT hilo_next_hi('protocol_hi', 10), last_of('protocol_hi');
SELECT hilo_next_hi('protocol_hi', 0);
SELECT hilo_next_hi('protocol_hi', -1000);
SELECT hilo_next_hi('protocol_hi', NULL);
SELECT hilo_next_hi('protocol_hi', 1048577);
SELECT hilo_next_hi(NULL, 10);

DROP FUNCTION last_of;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name ILIKE 'protocol%';
DROP ROLE regress_hilo_client, regress_hilo_other;

-- a return takes "last" to no value that was seeded, though that was below it
SELECT low, high, range_no FROM hilo_next_range('protocol_seeded', 10) \gset
SELECT hilo_seed('protocol_seeded', 5), hilo_return_range('protocol_seeded', :high, 2, :range_no);
SELECT low, high, range_no FROM hilo_next_range('protocol_seeded', 10) \gset
SELECT hilo_seed('protocol_seeded', 5), hilo_return_range('protocol_seeded', :high, 12, :range_no), hilo_next_tag('protocol_seeded');
SELECT hilo_drop('protocol_seeded');

-- a range that is too large for a window is reserved by itself, and not taken back
SELECT hilo_create('protocol_own', max_range_size => 20000000);
SELECT low, high, range_no FROM hilo_next_range('protocol_own', 20000000) \gset
SELECT hilo_return_range('protocol_own', :high, :low - 2, :range_no),
       hilo_return_range('protocol_own', :high, 0), hilo_return_range('protocol_own', :high, :high + 1, :range_no);
SELECT hilo_return_range('protocol_own', :high, :low - 1, :range_no), hilo_drop('protocol_own');
