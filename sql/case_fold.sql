/*
 * docid_fold: RavenDB's lower-casing of document ids
 *
 * Results beyond ASCII are shown as bytes, so that no terminal and no
 * version of psql's width tables matters.
 */

-- ASCII
SELECT docid_fold('Users/1-A'), docid_fold('ABCXYZ abcxyz'),
       docid_fold('@[\]^_`{|}~/09-$'), docid_fold('') = '' AS empty,
       docid_fold(NULL) IS NULL AS null;
-- each character by itself, and nothing but A to Z changes
SELECT string_agg(chr(c), '' ORDER BY c) AS changed
  FROM generate_series(1, 127) c WHERE docid_fold(chr(c)) <> chr(c);
SELECT bool_and(ascii(docid_fold(chr(c))) = CASE WHEN chr(c) COLLATE "C" BETWEEN 'A' AND 'Z'
                                                 THEN c | 32 ELSE c END) AS as_expected
  FROM generate_series(1, 127) c;
SELECT length(docid_fold(repeat('Orders/', 100000))) AS length;
-- an index may rest on it
SELECT provolatile, proisstrict, proparallel FROM pg_proc
 WHERE oid = 'docid_fold(text)'::regprocedure;
CREATE TABLE case_fold_doc (id text);
CREATE UNIQUE INDEX ON case_fold_doc (docid_fold(id));
INSERT INTO case_fold_doc VALUES ('Users/1'), ('users/2');
INSERT INTO case_fold_doc VALUES ('USERS/1');
DROP TABLE case_fold_doc;

SET client_encoding TO UTF8;

-- what folds, and to what
SELECT what, docid_fold(id) = lower AS ok, docid_fold(lower) = lower AS stays,
       encode(convert_to(docid_fold(id), 'UTF8'), 'hex') AS bytes
  FROM (VALUES
    ('e acute', 'É', 'é'),
    ('a word', 'ÜBER/Straße-A', 'über/straße-a'),
    ('Y diaeresis', U&'\0178', U&'\00FF'),
    ('I with dot above stays', U&'\0130', U&'\0130'),
    ('dotless i stays', U&'\0131', U&'\0131'),
    ('I is never dotless', 'TITLE', 'title'),
    ('capital sharp s', U&'\1E9E', U&'\00DF'),
    ('title case dz', U&'\01C5', U&'\01C6'),
    ('sigma within a word', U&'\03A3\039F', U&'\03C3\03BF'),
    ('sigma at the end', U&'\039F\03A3', U&'\03BF\03C3'),
    ('final sigma stays', U&'\03BF\03C2', U&'\03BF\03C2'),
    ('iota below', U&'\1F88', U&'\1F80'),
    ('Cyrillic', U&'\0416\0401', U&'\0436\0451'),
    ('Armenian', U&'\0531', U&'\0561'),
    ('Georgian Asomtavruli', U&'\10A0', U&'\2D00'),
    ('Georgian Mtavruli', U&'\1C90', U&'\10D0'),
    ('Cherokee', U&'\13A0', U&'\AB70'),
    ('Cherokee, the last six', U&'\13F0', U&'\13F8'),
    ('Roman numeral', U&'\2167', U&'\2177'),
    ('circled letter', U&'\24B6', U&'\24D0'),
    ('full width', U&'\FF21', U&'\FF41'),
    ('combining marks stay', U&'E\0301', U&'e\0301'),
    ('Deseret stays', U&'\+010400', U&'\+010400'),
    ('beyond the BMP among others', U&'A\+01F600\00C9\+01E900Z', U&'a\+01F600\00E9\+01E900z')
  ) AS t (what, id, lower);

-- lower cases of another length in bytes
SELECT what, docid_fold(id) = lower AS ok, octet_length(id) AS before,
       octet_length(docid_fold(id)) AS after
  FROM (VALUES
    ('A with stroke', U&'\023A', U&'\2C65'),
    ('T with diagonal stroke', U&'\023E', U&'\2C66'),
    ('turned alpha', U&'\2C6D', U&'\0251'),
    ('Kelvin sign', U&'\212A', 'k'),
    ('Angstrom sign', U&'\212B', U&'\00E5'),
    ('Ohm sign', U&'\2126', U&'\03C9'),
    ('all that grow', repeat(U&'\023A', 1001), repeat(U&'\2C65', 1001)),
    ('growing and shrinking', repeat(U&'\023AX\212A', 1001), repeat(U&'\2C65xk', 1001))
  ) AS t (what, id, lower);

-- every character of the BMP: the table is frozen, folding twice is folding once
CREATE TEMP VIEW bmp AS
  SELECT chr(c) AS id, docid_fold(chr(c)) AS folded, c
    FROM generate_series(1, 65535) c WHERE c NOT BETWEEN 55296 AND 57343;
SELECT count(*) AS characters,
       count(*) FILTER (WHERE folded <> id) AS changed,
       count(*) FILTER (WHERE docid_fold(folded) <> folded) AS not_idempotent,
       count(*) FILTER (WHERE length(folded) <> 1) AS not_one_character
  FROM bmp;
SELECT encode(sha256(convert_to(string_agg(folded, '' ORDER BY c), 'UTF8')), 'hex')
  FROM bmp;
SELECT docid_fold(string_agg(id, '' ORDER BY c)) = string_agg(folded, '' ORDER BY c)
       AS all_in_one_id FROM bmp;

-- nothing beyond the BMP changes
SELECT count(*) AS changed FROM generate_series(65536, 1114111) c
 WHERE docid_fold(chr(c)) <> chr(c);
