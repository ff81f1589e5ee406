/*
 * The first use of a name makes its generator, unless it is bad input
 */
SET client_min_messages = warning;
CREATE FUNCTION state_of(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT state_of(command) AS error, command
  FROM unnest(ARRAY[
	$$SELECT hilo_next(NULL)$$,
	$$SELECT hilo_next('')$$,
	$$SELECT hilo_next(repeat('x', 513))$$,
	$$SELECT hilo_next('first_use', -1)$$,
	$$SELECT hilo_next('first_use', NULL)$$,
	$$SELECT hilo_next_id(repeat('x', 510))$$,
	$$SELECT hilo_next_range('first_use', 0)$$,
	$$SELECT hilo_next_range('first_use', -1)$$,
	$$SELECT hilo_next_range('first_use', 9223372036854775807)$$,
	$$SELECT hilo_next_range('first_use', separator => 'too long a separator')$$,
	$$SELECT hilo_next_hi('first_use', 0)$$,
	$$SELECT hilo_next_hi('first_use', NULL)$$,
	$$SELECT hilo_next_hi('first_use', 9223372036854775807)$$,
	$$SELECT hilo_return_range('first_use', 1, 1, 1)$$,
	$$SELECT hilo_seed('first_use', -1, force => true)$$,
	$$SELECT hilo_seed('first_use', NULL)$$,
	$$SELECT hilo_current('first_use')$$,
	$$SELECT identity_next('first_use', 0)$$,
	$$SELECT identity_next('first_use', NULL)$$,
	$$SELECT identity_next('first_use', 9223372036854775807)$$,
	$$SELECT identity_next_batch('{first_use,NULL}')$$,
	$$SELECT identity_next_id(repeat('x', 511) || '|')$$,
	$$SELECT identity_seed('first_use', -1, force => true)$$,
	$$SELECT identity_current('first_use')$$,
	$$SET LOCAL transaction_read_only = on; SELECT hilo_next('first_use')$$]) command;
SELECT name FROM hilo_generators() WHERE name ~ '^(first_use|x+)';

-- again where it was dropped
SELECT low, high FROM hilo_next_range('first_use', 10);
SELECT hilo_drop('first_use');
SELECT state_of($$SELECT hilo_next_range('first_use', 0)$$);
SELECT name FROM hilo_generators() WHERE name ~ '^(first_use|x+)';
DROP FUNCTION state_of;
