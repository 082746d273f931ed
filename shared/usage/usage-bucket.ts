/**
 * What is counted by the hour: API calls of an organisation (`requests`, `writes`), and what a website's uploads brought
 * (`ingest_rows`; `ingest_kib`, in KiB after decompression, since a count on the wire is a 32-bit integer).
 */
export const usageBuckets = ['requests', 'writes', 'ingest_rows', 'ingest_kib'] as const;
export type UsageBucket = (typeof usageBuckets)[number];
