import type { RawRequest } from '../../../shared/requests/raw-request.js';
import type { BodyHandler } from '../body/split-body.js';
import { sources } from '../sources/list.js';
import type {
  JsonRecord,
  Parsed,
  SenderAnswer,
  Source,
  UploadFacts,
  UploadParser,
} from '../sources/source.js';
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
const REPORTED_ERRORS = 10;

export function createTally(): Tally {
  return { source: null, parsed: 0, rejected: 0, skipped: 0, errors: [] };
}

export interface RecordParserOptions {
  /** The source that the sender named; null: the first record that one recognises decides for the whole upload. */
  readonly source: Source | null;
  readonly upload: UploadFacts;
  readonly times: AcceptedTimes;
  readonly tally: Tally;
  readonly onRequest: (request: RawRequest) => void;
}

export interface RecordParser extends BodyHandler {
  /** The answer in the form that the upload's source gives it; as it is while none is recognised. @param answeredAt milliseconds since the epoch */
  shapeAnswer(answer: SenderAnswer, answeredAt: number): SenderAnswer;
}

/** The upload's source, and its parser for this upload. */
type OpenedSource =
  | { readonly name: string; readonly shape: 'json'; readonly parser: UploadParser<JsonRecord> }
  | { readonly name: string; readonly shape: 'lines'; readonly parser: UploadParser<string> };

function openSource(source: Source, upload: UploadFacts): OpenedSource {
  const { name } = source;
  return source.shape === 'json'
    ? { name, shape: 'json', parser: source.open(upload) }
    : { name, shape: 'lines', parser: source.open(upload) };
}

const unrecognised = `format not recognised; known sources: ${sources.map((source) => source.name).join(', ')}`;

/** Turns what the body was split into into requests, and counts what does not become one. */
export function createRecordParser({
  source: named,
  upload,
  times,
  tally,
  onRequest,
}: RecordParserOptions): RecordParser {
  let source: OpenedSource | null = null;
  let first = true;
  choose(named);

  function choose(chosen: Source | null): OpenedSource | null {
    if (chosen !== null) {
      source = openSource(chosen, upload);
      tally.source = chosen.name;
    }
    return source;
  }

  function reject(line: number, reason: string): void {
    first = false;
    tally.rejected++;
    if (tally.errors.length < REPORTED_ERRORS) tally.errors.push({ line, reason });
  }

  /** A source that throws is a defect of ours; its record is still one record, and the others are taken. */
  function read<Input>(parser: UploadParser<Input>, input: Input, number: number): void {
    let parsed: Parsed;
    try {
      parsed = parser.parse(input);
    } catch {
      parsed = { reject: 'can not be read' };
    }
    settle(parsed, number);
  }

  function settle(parsed: Parsed, number: number): void {
    if ('client_ip' in parsed) take(parsed, number);
    else if ('reject' in parsed) reject(number, parsed.reject);
    else if ('skip' in parsed) tally.skipped++;
    else if (!('noRecord' in parsed)) for (const one of parsed) settle(one, number);
  }

  function take(request: RawRequest, number: number): void {
    const result = validateRequest(request, times);
    if ('reject' in result) reject(number, result.reject);
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
      else if (chosen.shape === 'json') read(chosen.parser, record, number);
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
      else if (chosen.shape === 'lines') read(chosen.parser, line, number);
      else reject(number, `${chosen.name} expects JSON`);
    },
    onInvalid: reject,
    shapeAnswer: (answer, answeredAt) => source?.parser.shapeAnswer?.(answer, answeredAt) ?? answer,
  };
}
