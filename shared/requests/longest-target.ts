/**
 * Largest length of a request target, in characters. Ingest truncates longer ones, and so does the enricher if the
 * normal spelling is longer.
 */
export const LONGEST_TARGET = 8_192;
