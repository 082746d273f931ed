import { setTimeout as sleep } from 'node:timers/promises';
import type { Pipeline } from '../pipeline/measure-rate.js';
import { type Sending, sendUploads } from '../pipeline/send-uploads.js';
import type { Upload } from '../uploads.js';

const SENDERS = 4;

export interface BesideOptions {
  readonly source: string;
  /** undefined: as fast as it is answered. */
  readonly linesPerSecond?: number;
}

/** Sends uploads to the websites in turn until it is stopped. */
export function ingestBeside(pipeline: Pipeline, uploads: readonly Upload[], how: BesideOptions): Sending {
  return sendUploads(uploads, { ...pipeline, ...how, senders: SENDERS });
}

/** Lines a second that the program takes for `seconds` when they are sent as fast as it answers. */
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
