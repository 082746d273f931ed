import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Upload } from '../uploads.js';

export interface SendOptions {
  readonly ingestUrl: string;
  /** One a website; uploads take turns through them. */
  readonly ingestKeys: readonly string[];
  /** Name of the log source. */
  readonly source: string;
  /** Uploads under way at once. */
  readonly senders: number;
  /** Held, where it is less than what is taken; undefined: as fast as it is answered. */
  readonly linesPerSecond?: number | undefined;
}

export interface Sending {
  /** Taken so far. */
  lines(): number;
  refused(): number;
  /** Resolves when the last upload has its answer. */
  stop(): Promise<void>;
}

const REFUSED_PAUSE_MS = 1000;

/** Sends the uploads again and again until it is stopped. */
export function sendUploads(uploads: readonly Upload[], options: SendOptions): Sending {
  const { ingestKeys, senders, linesPerSecond } = options;
  const stopping = new AbortController();
  const started = performance.now();
  let [lines, refused, turns, due] = [0, 0, 0, 0];

  /** Waits until the rate lets so many more lines go. @returns false where sending has ended meanwhile. */
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
  // Whoever stops it hears of a failure.
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

/** @returns lines that were accepted; null: the upload was refused. @throws Error where ingest does not answer at all. */
export async function sendUpload(
  { body }: Pick<Upload, 'body'>,
  ingestKey: string,
  { ingestUrl, source }: Pick<SendOptions, 'ingestUrl' | 'source'>,
): Promise<number | null> {
  const headers = { 'x-api-key': ingestKey, 'content-encoding': 'gzip' };
  // Not `fetch`, which copies the body: the sender runs beside what is measured.
  const sent = request(`${ingestUrl}?source=${source}`, { method: 'POST', headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // Who answers before it has the whole body may close the connection on the rest.
  sent.on('error', () => {});
  const answer = (await json(response)) as { accepted?: number };
  return response.statusCode === 200 ? (answer.accepted ?? 0) : null;
}
