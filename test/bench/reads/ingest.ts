import { setTimeout as sleep } from 'node:timers/promises';
import type { Pipeline } from '../pipeline/measure-rate.js';
import { type Sending, sendUploads } from '../pipeline/send-uploads.js';
import type { Upload } from '../uploads.js';

const SENDERS = 4;

export interface BesideOptions {
  readonly source: string;
  /** undefined: as fast as uploads are answered. */
  readonly linesPerSecond?: number;
}

/** Sends uploads to alternating websites until it is stopped. */
export function ingestBeside(pipeline: Pipeline, uploads: readonly Upload[], how: BesideOptions): Sending {
  return sendUploads(uploads, { ...pipeline, ...how, senders: SENDERS });
}

/** Lines a second that the program accepts at full speed, measured for `seconds`. */
export async function measureIngestRate(
  pipeline: Pipeline,
  uploads: readonly Upload[],
  { seconds, source }: { seconds: number; source: string },
): Promise<number> {
  const started = performance.now();
  const sending = ingestBeside(pipeline, uploads, { source });
  await sleep(seconds * 1000);
  await sending.stop();
  return sending.lines() / ((performance.now() - started) / 1000);
}
