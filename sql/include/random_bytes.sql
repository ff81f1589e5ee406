\set ECHO none
-- Whether each byte of the ids of a young generator looks random: with 255 degrees of
-- freedom, above 378 is one chance in a million
SELECT bits, shift, round(chi_square) < 378 AS random
  FROM (SELECT bits, shift, sum((n - 256.0) ^ 2 / 256) AS chi_square
          FROM (SELECT bits, shift, (id >> shift) & 255 AS byte, count(*) AS n
                  FROM young, generate_series(0, 48, 8) shift WHERE shift + 8 <= bits GROUP BY 1, 2, 3) t
         GROUP BY bits, shift) t
 ORDER BY bits, shift;
\set ECHO all
