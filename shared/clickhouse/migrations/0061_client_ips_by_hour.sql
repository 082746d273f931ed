-- Addresses are read by hour alone: most come in one or two hours of a day, so the day tier was shorter by a third only, and reading it beside
-- the hours cost as much as it saved. It took 2 of 65 bytes of a request and some 3 percent of an insert. The table stays, empty (0059).
DROP VIEW IF EXISTS client_ips_per_day_mv;

TRUNCATE TABLE IF EXISTS client_ips_per_day;
