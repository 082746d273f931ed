import { setTimeout as sleep } from 'node:timers/promises';
import type { Upload } from '../uploads.js';
import type { Pipeline } from './measure-rate.js';
import { readMetrics, sumOfSamples } from './metrics.js';
import { sendUpload } from './send-uploads.js';

const LOOK_EVERY_MS = 100;
/** Longest wait without another stored row. */
const PATIENCE_MS = 60_000;

/** Rows since the enrichers' start, from their metrics, which need no statement. */
export async function rowsStored({ enricherUrls }: Pick<Pipeline, 'enricherUrls'>): Promise<number> {
  const texts = await Promise.all(enricherUrls.map(readMetrics));
  return texts.reduce((sum, text) => sum + sumOfSamples(text, 'loglane_enricher_rows_total'), 0);
}

/** @throws Error if no further rows are stored */
export async function untilStored(pipeline: Pick<Pipeline, 'enricherUrls'>, rows: number): Promise<void> {
  let [most, since] = [-1, Date.now()];
  for (;;) {
    const stored = await rowsStored(pipeline);
    if (stored >= rows) return;
    if (stored > most) [most, since] = [stored, Date.now()];
    if (Date.now() - since > PATIENCE_MS)
      throw new Error(`${stored} of ${rows} rows are stored, and no more come`);
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Sends each upload once to the first website, and waits until it is stored.
 * @throws Error if one is refused
 */
export async function sendOnce(
  pipeline: Pipeline,
  uploads: readonly Upload[],
  source: string,
): Promise<void> {
  const before = await rowsStored(pipeline);
  let lines = 0;
  for (const upload of uploads) {
    const accepted = await sendUpload(upload, pipeline.ingestKeys[0]!, { ...pipeline, source });
    if (accepted === null) throw new Error('an upload was refused');
    lines += accepted;
  }
  await untilStored(pipeline, before + lines);
}
