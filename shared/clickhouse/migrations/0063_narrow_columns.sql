-- Paths of rollups as places in a dictionary, as those of requests are (0060), and numbers in the bits that they have: GCD takes out what times of whole
-- seconds, and of whole hours, share. Of two million requests of the demo's week a request takes 44.6 bytes in place of 48.9 when all is
-- merged, rollups included; where every path is another one 114 in place of 120. Inserts cost the same. Parts whose
-- types change are written anew in the background, as in 0060; where codecs alone change, parts take them when they are merged.
ALTER TABLE requests
    MODIFY COLUMN timestamp CODEC(GCD, Delta, ZSTD(1)),
    MODIFY COLUMN bytes_sent CODEC(T64, ZSTD(1));
ALTER TABLE paths_per_hour
    MODIFY COLUMN path LowCardinality(String) CODEC(ZSTD(1)),
    MODIFY COLUMN bytes_sent CODEC(T64, ZSTD(1)),
    MODIFY COLUMN last_seen CODEC(GCD, T64, ZSTD(1))
SETTINGS alter_sync = 0;
ALTER TABLE paths_per_day
    MODIFY COLUMN path LowCardinality(String) CODEC(ZSTD(1)),
    MODIFY COLUMN bytes_sent CODEC(T64, ZSTD(1)),
    MODIFY COLUMN last_seen CODEC(GCD, T64, ZSTD(1))
SETTINGS alter_sync = 0;
ALTER TABLE crawler_paths_per_hour
    MODIFY COLUMN path LowCardinality(String) CODEC(ZSTD(1)),
    MODIFY COLUMN first_seen CODEC(GCD, T64('bit'), ZSTD(1)),
    MODIFY COLUMN last_seen CODEC(GCD, T64('bit'), ZSTD(1))
SETTINGS alter_sync = 0;
ALTER TABLE crawler_paths_per_day
    MODIFY COLUMN path LowCardinality(String) CODEC(ZSTD(1)),
    MODIFY COLUMN first_seen CODEC(GCD, T64('bit'), ZSTD(1)),
    MODIFY COLUMN last_seen CODEC(GCD, T64('bit'), ZSTD(1))
SETTINGS alter_sync = 0;
ALTER TABLE client_ips_per_hour
    MODIFY COLUMN bytes_sent CODEC(T64, ZSTD(1)),
    MODIFY COLUMN first_seen CODEC(GCD, T64('bit'), ZSTD(1)),
    MODIFY COLUMN last_seen CODEC(GCD, T64('bit'), ZSTD(1));
