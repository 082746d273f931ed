import type { RawRequest } from '../../../shared/requests/raw-request.js';
import type { Tally } from '../outcomes/tally.js';
import type { Parsed, UploadParser } from '../sources/util/source.js';
import type { AcceptedTimes } from './accepted-times.js';
import { validateRequest } from './validate-request.js';

export interface SettlerOptions {
  readonly times: AcceptedTimes;
  readonly tally: Tally;
  readonly onRequest: (request: RawRequest) => void;
}

export interface Settler {
  /** Reads one record or line, and counts what came of it. */
  read<Input>(parser: UploadParser<Input>, input: Input, number: number): void;
  settle(parsed: Parsed, number: number): void;
}

/** Counts what sources make of records, and hands on what is a request. */
export function createSettler({ times, tally, onRequest }: SettlerOptions): Settler {
  function settle(parsed: Parsed, number: number): void {
    if ('client_ip' in parsed) take(parsed, number);
    else if ('reject' in parsed) tally.reject(number, parsed.reject);
    else if ('skip' in parsed) tally.skipped++;
    else if (!('noRecord' in parsed)) for (const one of parsed) settle(one, number);
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
    /** A source that throws is a defect of ours; its record is still one record, and the others are taken. */
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
