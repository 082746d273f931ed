import type { RawRequest } from '../../../shared/requests/raw-request.js';
import type { BodyHandler } from '../body/split-body.js';
import { sources } from '../sources/list.js';
import type { Parsed, Source } from '../sources/source.js';
import type { AcceptedTimes } from './accepted-times.js';
import {
  detectJsonSource,
  detectLineSource,
  isDestinationCheckLine,
  isDestinationCheckRecord,
  refuseCommaSeparated,
} from './detect-source.js';
import { validateRequest } from './validate-request.js';

export interface LineError {
  readonly line: number;
  readonly reason: string;
}

/** What became of an upload's records; counted while it streams, so that a broken upload has its counts too. */
export interface Tally {
  /** Name of the source; null while nothing was recognised. */
  source: string | null;
  /** Records that are requests; they count as accepted once the log has their block. */
  parsed: number;
  rejected: number;
  skipped: number;
  /** The first {@link REPORTED_ERRORS} rejections. */
  readonly errors: LineError[];
}

/** Enough to see what is wrong; the answer must not grow with the upload. */
export const REPORTED_ERRORS = 10;

export function createTally(): Tally {
  return { source: null, parsed: 0, rejected: 0, skipped: 0, errors: [] };
}

export interface RecordParserOptions {
  /** The source that the sender named; null: the first record that one recognises decides for the whole upload. */
  readonly source: Source | null;
  readonly times: AcceptedTimes;
  readonly tally: Tally;
  readonly onRequest: (request: RawRequest) => void;
}

const unrecognised = `format not recognised; known sources: ${sources.map((source) => source.name).join(', ')}`;

/** Turns what the body was split into into requests, and counts what does not become one. */
export function createRecordParser({
  source: named,
  times,
  tally,
  onRequest,
}: RecordParserOptions): BodyHandler {
  let source = named;
  let first = true;
  if (named !== null) tally.source = named.name;

  function choose(detected: Source | null): Source | null {
    if (detected !== null) {
      source = detected;
      tally.source = detected.name;
    }
    return detected;
  }

  function reject(line: number, reason: string): void {
    first = false;
    tally.rejected++;
    if (tally.errors.length < REPORTED_ERRORS) tally.errors.push({ line, reason });
  }

  /** A source that throws is a defect of ours; its record is still one record, and the others are taken. */
  function read(parse: () => Parsed, number: number): void {
    let parsed: Parsed;
    try {
      parsed = parse();
    } catch {
      parsed = { reject: 'can not be read' };
    }
    settle(parsed, number);
  }

  function settle(parsed: Parsed, number: number): void {
    const result = 'reject' in parsed || 'skip' in parsed ? parsed : validateRequest(parsed, times);
    if ('reject' in result) reject(number, result.reject);
    else if ('skip' in result) tally.skipped++;
    else {
      tally.parsed++;
      onRequest(result);
    }
  }

  return {
    onRecord(record, number) {
      if (first) {
        first = false;
        if (isDestinationCheckRecord(record)) return;
      }
      const chosen = source ?? choose(detectJsonSource(record));
      if (chosen === null) reject(number, unrecognised);
      else if (chosen.shape === 'json') read(() => chosen.parse(record), number);
      else reject(number, `${chosen.name} expects lines of text, not JSON`);
    },
    onLine(line, number) {
      if (first) {
        first = false;
        if (isDestinationCheckLine(line)) return;
        if (source === null && choose(detectLineSource(line)) === null) refuseCommaSeparated(line);
      }
      const chosen = source ?? choose(detectLineSource(line));
      if (chosen === null) reject(number, unrecognised);
      else if (chosen.shape === 'lines') read(() => chosen.parse(line), number);
      else reject(number, `${chosen.name} expects JSON`);
    },
    onInvalid: reject,
  };
}
