import type { RawRequest } from '../../../shared/requests/raw-request.js';
import type { Tally } from '../outcomes/tally.js';
import type { Parsed, Undecided, UploadParser } from '../sources/util/source.js';
import type { AcceptedTimes } from './accepted-times.js';
import { validateRequest } from './validate-request.js';

export interface SettlerOptions {
  readonly times: AcceptedTimes;
  readonly tally: Tally;
  readonly onRequest: (request: RawRequest) => void;
}

export interface Settler {
  /** Parses one record or line, and counts the result. */
  read<Input>(parser: UploadParser<Input>, input: Input, number: number): void;
  settle(parsed: Parsed, number: number): void;
  /** Settles the waiting records. */
  end(): void;
}

/** Records that may wait for others at once. */
const MOST_WAITING = 16;

/** Counts the results of sources, and passes requests on. */
export function createSettler({ times, tally, onRequest }: SettlerOptions): Settler {
  let waiting: { readonly undecided: Undecided; readonly number: number }[] = [];

  function settle(parsed: Parsed, number: number): void {
    if ('client_ip' in parsed) take(parsed, number);
    else if ('reject' in parsed) tally.reject(number, parsed.reject);
    else if ('skip' in parsed) tally.skipped++;
    else if ('decide' in parsed) wait(parsed, number);
    else if (!('noRecord' in parsed)) for (const one of parsed) settle(one, number);
  }

  function wait(undecided: Undecided, number: number): void {
    waiting.push({ undecided, number });
    if (waiting.length === MOST_WAITING) end();
  }

  function end(): void {
    for (const { undecided, number } of waiting) settle(undecided.decide(), number);
    waiting = [];
  }

  function take(request: RawRequest, number: number): void {
    const result = validateRequest(request, times);
    if ('reject' in result) tally.reject(number, result.reject);
    else {
      tally.parsed++;
      onRequest(result);
    }
  }

  return {
    settle,
    end,
    /** A source that throws is our defect. Its record is rejected, and the others are taken. */
    read(parser, input, number) {
      let parsed: Parsed;
      try {
        parsed = parser.parse(input);
      } catch {
        parsed = { reject: 'can not be read' };
      }
      settle(parsed, number);
    },
  };
}
