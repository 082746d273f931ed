/** Characters kept of a request target: ingest cuts longer ones, and so does the enricher where the normal spelling is longer. */
export const LONGEST_TARGET = 8_192;
