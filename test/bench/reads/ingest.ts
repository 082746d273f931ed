import { setTimeout as sleep } from 'node:timers/promises';
import type { Standalone } from '../../harness/standalone.js';
import type { Upload } from '../throughput.js';
import { type BenchWebsite, sendUpload } from './websites.js';

const SENDERS = 4;

/** Lines a second that the program takes for `seconds` when they are sent as fast as it answers. */
export async function measureIngestRate(
  program: Standalone,
  websites: readonly BenchWebsite[],
  uploads: readonly Upload[],
  { seconds, source }: { seconds: number; source: string },
): Promise<number> {
  const started = performance.now();
  let lines = 0;
  let next = 0;
  const sender = async () => {
    while (performance.now() - started < seconds * 1000) {
      const turn = next++;
      lines += await sendUpload(program, websites[turn % websites.length]!.ingestKey, {
        body: uploads[turn % uploads.length]!.body,
        source,
      });
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return lines / ((performance.now() - started) / 1000);
}

/** Sends uploads to the websites in turn, so many lines a second, until it is stopped. */
export function ingestBeside(
  program: Standalone,
  websites: readonly BenchWebsite[],
  uploads: readonly Upload[],
  { linesPerSecond, source }: { linesPerSecond: number; source: string },
): () => Promise<void> {
  const stopping = new AbortController();
  const started = performance.now();
  let due = 0;
  let next = 0;
  const sender = async () => {
    while (!stopping.signal.aborted) {
      const turn = next++;
      const { body, lines } = uploads[turn % uploads.length]!;
      const at = started + (due / linesPerSecond) * 1000;
      due += lines;
      await sleep(Math.max(0, at - performance.now()), undefined, { signal: stopping.signal }).catch(
        () => {},
      );
      if (stopping.signal.aborted) return;
      await sendUpload(program, websites[turn % websites.length]!.ingestKey, { body, source }).catch(() => 0);
    }
  };
  const senders = Promise.all(Array.from({ length: SENDERS }, sender));
  return async () => {
    stopping.abort();
    await senders;
  };
}
