/**
 * Counters by hour. API calls of an organisation: `requests`, `writes`, and `console` for reads of its sessions. Uploads of a website:
 * `ingest_rows`, and `ingest_kib` in KiB after decompression, since a count in a record is a 32-bit integer.
 */
export const usageBuckets = ['requests', 'writes', 'console', 'ingest_rows', 'ingest_kib'] as const;
export type UsageBucket = (typeof usageBuckets)[number];
