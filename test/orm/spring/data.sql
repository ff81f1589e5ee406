SELECT hilo_adopt_sequence('by_sequence', 'id', 'by_sequence_seq', 'hibernate-pooled', 10);
INSERT INTO by_sequence (id, writer) VALUES (1, 'data.sql'), (2, 'data.sql'), (345, 'data.sql');
SELECT hilo_seed('by_sequence', max(id)) FROM by_sequence;
SELECT hilo_attach('by_default', 'id', 'by_default');
