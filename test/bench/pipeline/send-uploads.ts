import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Upload } from '../uploads.js';

export interface SendOptions {
  readonly ingestUrl: string;
  /** One per website; uploads alternate between them. */
  readonly ingestKeys: readonly string[];
  /** Name of the log source. */
  readonly source: string;
  /** Concurrent uploads. */
  readonly senders: number;
  /** Rate limit; undefined: as fast as uploads are answered. */
  readonly linesPerSecond?: number | undefined;
}

export interface Sending {
  /** Accepted lines so far. */
  lines(): number;
  refused(): number;
  /** Resolves when the last upload has its answer. */
  stop(): Promise<void>;
}

const REFUSED_PAUSE_MS = 1000;

/** Sends the uploads repeatedly until it is stopped. */
export function sendUploads(uploads: readonly Upload[], options: SendOptions): Sending {
  const { ingestKeys, senders, linesPerSecond } = options;
  const stopping = new AbortController();
  const started = performance.now();
  let [lines, refused, turns, due] = [0, 0, 0, 0];

  /**
   * Waits until the rate allows this many more lines.
   * @returns false if sending has ended meanwhile
   */
  async function isDue(more: number): Promise<boolean> {
    if (linesPerSecond !== undefined) {
      const at = started + (due / linesPerSecond) * 1000;
      due += more;
      await sleep(Math.max(0, at - performance.now()), undefined, { signal: stopping.signal }).catch(
        () => {},
      );
    }
    return !stopping.signal.aborted;
  }

  async function send(): Promise<void> {
    while (!stopping.signal.aborted) {
      const turn = turns++;
      const upload = uploads[turn % uploads.length]!;
      if (!(await isDue(upload.lines))) return;
      const accepted = await sendUpload(upload, ingestKeys[turn % ingestKeys.length]!, options);
      if (accepted !== null) lines += accepted;
      else {
        refused += 1;
        await sleep(REFUSED_PAUSE_MS);
      }
    }
  }

  const sending = Promise.all(Array.from({ length: senders }, send));
  // `stop` reports a failure.
  sending.catch(() => {});
  return {
    lines: () => lines,
    refused: () => refused,
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}

/**
 * @returns number of accepted lines; null: the upload was refused
 * @throws Error if ingest does not answer
 */
export async function sendUpload(
  { body }: Pick<Upload, 'body'>,
  ingestKey: string,
  { ingestUrl, source }: Pick<SendOptions, 'ingestUrl' | 'source'>,
): Promise<number | null> {
  const headers = { 'x-api-key': ingestKey, 'content-encoding': 'gzip' };
  // `fetch` would copy the body beside the measured program.
  const sent = request(`${ingestUrl}?source=${source}`, { method: 'POST', headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // A server that answers before the end of the body may close the connection.
  sent.on('error', () => {});
  const answer = (await json(response)) as { accepted?: number };
  return response.statusCode === 200 ? (answer.accepted ?? 0) : null;
}
