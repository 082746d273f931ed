import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { visibleLine } from '../../shared/visible-text.js';
import { boundedText } from './bounded-text.js';

/** The answer of ingest for a part. */
export interface Taken {
  readonly accepted: number;
  readonly rejected: number;
  readonly skipped: number;
  /** The first rejections. */
  readonly errors: readonly { readonly line: number; readonly reason: string }[];
}

/** Ingest refuses the upload permanently. The message says how to correct it. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface SendOptions {
  readonly url: string;
  readonly ingestKey: string;
  readonly fetch: typeof fetch;
  /** Resolves after so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Called with the reason and the length of each wait. */
  readonly onWait: (reason: string, milliseconds: number) => void;
}

export type SendPart = (body: readonly Buffer[], idempotencyKey: string) => Promise<Taken>;

const MOST_ANSWER_BYTES = 1024 ** 2;
/** Characters of a text of the answer. */
const MOST_SHOWN = 500;
/** Ingest reports ten. */
const MOST_ERRORS = 100;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Quotas are reset each clock hour. */
const LONGEST_NAMED_WAIT_MS = 3_600_000;
const AGAIN = new Set([408, 425, 429, 500, 502, 503, 504]);

const compress = promisify(gzip);

/** Sends a part until ingest acknowledges or refuses it. Busy or unreachable instances and exhausted quotas are retried without limit. */
export function createPartSender({ url, ingestKey, fetch, sleep, onWait }: SendOptions): SendPart {
  async function post(body: Uint8Array<ArrayBuffer>, idempotencyKey: string): Promise<Response | string> {
    try {
      return await fetch(url, {
        method: 'POST',
        headers: {
          'x-api-key': ingestKey,
          'content-encoding': 'gzip',
          'idempotency-key': idempotencyKey,
        },
        body,
        // `fetch` would send the key to the other address too, and turn the upload into a read.
        redirect: 'manual',
      });
    } catch (error) {
      const cause = (error as { cause?: { code?: string; message?: string } }).cause;
      return cause?.code ?? cause?.message ?? String(error);
    }
  }

  return async function send(body, idempotencyKey) {
    const filled = body.filter(({ length }) => length > 0);
    // Avoids a copy of eight megabytes.
    const plain = filled.length === 1 ? filled[0]! : Buffer.concat(filled);
    const compressed = new Uint8Array(await compress(plain, { level: 1 }));
    for (let attempt = 0; ; attempt++) {
      const grown = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10));
      const response = await post(compressed, idempotencyKey);
      if (typeof response === 'string') {
        onWait(`${new URL(url).host} can't be reached (${response})`, grown);
        await sleep(grown);
        continue;
      }
      const text = await boundedText(response, MOST_ANSWER_BYTES).catch(() => '');
      const answer = parseObject(text);
      if (response.status === 200 && answer !== null) return readTaken(answer);
      const detail = detailOf(response, answer, text);
      if (response.status !== 200 && !AGAIN.has(response.status))
        throw new Refused(`${url.split('?')[0]} answered ${response.status}: ${detail}`, response.status);
      const wait = waitNamedBy(response) ?? grown;
      onWait(`answered ${response.status}: ${detail}`, wait);
      await sleep(wait);
    }
  };
}

/** For people: what answers is not always ingest. */
function detailOf({ headers }: Response, answer: Record<string, unknown> | null, text: string): string {
  const location = headers.get('location');
  if (location !== null) return `a redirect to ${shown(location)}; give that address if it is right`;
  return shown(typeof answer?.detail === 'string' ? answer.detail : text);
}

const shown = (text: string) => visibleLine(text.slice(0, 2 * MOST_SHOWN)).slice(0, MOST_SHOWN);

/** Retry-After in seconds; null: absent. */
function waitNamedBy(response: Response): number | null {
  const header = response.headers.get('retry-after');
  const seconds = header === null ? Number.NaN : Number(header);
  return seconds >= 0 ? Math.min(LONGEST_NAMED_WAIT_MS, Math.max(FIRST_WAIT_MS, seconds * 1_000)) : null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function readTaken({ accepted, rejected, skipped, errors }: Record<string, unknown>): Taken {
  const count = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    accepted: count(accepted),
    rejected: count(rejected),
    skipped: count(skipped),
    errors: Array.isArray(errors)
      ? errors
          .slice(0, MOST_ERRORS)
          .map((error) => ({ line: count(error?.line), reason: shown(String(error?.reason)) }))
      : [],
  };
}
