export interface LineError {
  readonly line: number;
  readonly reason: string;
}

/** Counts of an upload's records. They are kept while it streams, so that a broken upload has counts too. */
export interface Tally {
  /** Name of the source; null until it is recognised. */
  source: string | null;
  /** Records that are requests; they are accepted once the log has their block. */
  parsed: number;
  rejected: number;
  skipped: number;
  /** The first {@link REPORTED_ERRORS} rejections. */
  readonly errors: LineError[];
  lastError: LineError | null;
  /** Actions of a bulk upload to Elasticsearch, each before its record. */
  bulkActions: number;
  /** Counts a rejection. */
  reject(line: number, reason: string): void;
}

/** Enough to find the cause; the answer must not grow with the upload. */
const REPORTED_ERRORS = 10;

export function createTally(): Tally {
  const tally: Tally = {
    source: null,
    parsed: 0,
    rejected: 0,
    skipped: 0,
    errors: [],
    lastError: null,
    bulkActions: 0,
    reject(line, reason) {
      tally.rejected++;
      tally.lastError = { line, reason };
      if (tally.errors.length < REPORTED_ERRORS) tally.errors.push(tally.lastError);
    },
  };
  return tally;
}
