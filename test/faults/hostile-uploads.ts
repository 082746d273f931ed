import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGzip, gzipSync } from 'node:zlib';

/** Uploads of one customer that could stop the service for all. Each of them once did. */
export interface HostileUpload {
  readonly name: string;
  body(): Promise<Buffer> | Buffer;
  readonly gzipped?: boolean;
}

const plainRow = {
  client_ip: '198.51.100.9',
  method: 'GET',
  path: '/hostile',
  status: 200,
  user_agent: 'curl/8.5.0',
};

const rowOf = (fields: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ timestamp: new Date().toISOString(), ...plainRow, ...fields });

/** `months` lines, each of another month, the newest of now. */
export function monthsOf(
  months: number,
  fields: (month: number) => Readonly<Record<string, unknown>>,
): Buffer {
  const now = new Date();
  const lines = Array.from({ length: months }, (_, month) => {
    const timestamp = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - month, 1)).toISOString();
    return rowOf({ timestamp, ...fields(month) });
  });
  return Buffer.from(lines.join('\n'));
}

const LONG_LINES = 30_000;
const LONG_LINE_BYTES = 24 * 1024;
const LINES_A_TURN = 500;
let longLines: Promise<Buffer> | undefined;

/** 30,000 lines of 24 KB, 3.6 MB in gzip: every row is within every limit. Made once. */
async function manyLongLines(): Promise<Buffer> {
  const gzip = createGzip({ level: 1 });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => gzip.once('end', resolve));
  const some = `${rowOf({ path: `/${'a'.repeat(LONG_LINE_BYTES)}` })}\n`.repeat(LINES_A_TURN);
  const write = promisify<string, void>((text, done) => gzip.write(text, () => done(null)));
  for (let line = 0; line < LONG_LINES; line += LINES_A_TURN) {
    await write(some);
    await nextTurn();
  }
  gzip.end();
  await ended;
  return Buffer.concat(chunks);
}

const DEEP = 100_000;

export const hostileUploads: readonly HostileUpload[] = [
  { name: '150 lines of 150 months', body: () => monthsOf(150, () => ({})) },
  {
    name: '30,000 lines of 24 KB',
    gzipped: true,
    body() {
      longLines ??= manyLongLines();
      return longLines;
    },
  },
  {
    name: 'fields named like what every object has',
    body: () =>
      Buffer.from(
        ['constructor', '__proto__', 'toString', 'hasOwnProperty']
          .flatMap((word) => [
            rowOf({ content_type: word }),
            rowOf({ cache_status: word, method: word, protocol: word, host: word, country: word }),
            rowOf({ user_agent: word, referrer: word, path: `/${word}?${word}`, request_id: word }),
          ])
          .join('\n'),
      ),
  },
  { name: 'a body nested deeply', body: () => Buffer.from('['.repeat(DEEP) + ']'.repeat(DEEP)) },
  {
    name: 'a line nested deeply',
    body: () => Buffer.from(`{"timestamp":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}\n${rowOf({})}`),
  },
  {
    name: 'the largest number of bytes',
    body: () => Buffer.from([rowOf({ bytes_sent: Number.MAX_SAFE_INTEGER }), rowOf({})].join('\n')),
  },
  {
    name: '65 bytes of gzip that split slowly',
    gzipped: true,
    body: () => gzipSync(`{}\n}${' '.repeat(130_000)}x`),
  },
  {
    name: 'times beyond what a column holds',
    body: () =>
      Buffer.from(
        ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '2149-06-07T00:00:00Z', 2 ** 53, -1]
          .map((timestamp) => rowOf({ timestamp }))
          .join('\n'),
      ),
  },
];

/** Longer than any valid answer takes here. */
const ANSWER_TIMEOUT_MS = 120_000;

/**
 * Sends it. Ingest's own tests check whether it is accepted, in part or not at all.
 * @throws Error for an answer of 5xx, or none.
 */
export async function sendHostile(
  { ingestUrl, ingestKey }: { readonly ingestUrl: string; readonly ingestKey: string },
  { name, body, gzipped = false }: HostileUpload,
): Promise<void> {
  const response = await fetch(ingestUrl, {
    method: 'POST',
    headers: { 'x-api-key': ingestKey, ...(gzipped ? { 'content-encoding': 'gzip' } : {}) },
    body: new Uint8Array(await body()),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const answer = await response.text();
  if (response.status === 500) throw new Error(`${name}: ${response.status} ${answer}`);
}
