SELECT hilo_adopt_sequence('by_sequence', 'id', 'by_sequence_seq', 'hibernate-pooled-lo', 50);
INSERT INTO by_sequence (id, writer) VALUES (1, 'import.sql'), (2, 'import.sql'), (345, 'import.sql');
SELECT hilo_seed('by_sequence', max(id)) FROM by_sequence;
SELECT hilo_attach('by_default', 'id', 'by_default');
