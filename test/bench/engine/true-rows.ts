import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../../shared/config.js';
import { encodeRange, openOfflineEnrichment, rangesOf, takeBodies } from '../stages/offline.js';
import type { Upload } from '../uploads.js';

/** Creates rows from lines like the services: parsed, enriched and encoded, in the enricher's ranges. */
export interface TrueRows {
  readonly rows: number;
  /** The body of each insert, in the Native format. */
  readonly bodies: readonly Buffer[];
  /** All of them, one after another, in one file. */
  readonly file: string;
}

export async function makeTrueRows(
  folder: string,
  uploads: readonly Upload[],
  source: string,
): Promise<TrueRows> {
  const blocks: Buffer[] = [];
  await takeBodies(
    uploads.map(({ body }) => body),
    { encoding: 'gzip', source },
    (value) => blocks.push(value),
  );
  const deps = openOfflineEnrichment();
  const file = join(folder, 'rows.native');
  const bodies: Buffer[] = [];
  let rows = 0;
  for (const records of rangesOf(blocks, loadConfig({}).ENRICHER_BATCH_ROWS)) {
    const range = await encodeRange(records, deps);
    bodies.push(range.body);
    rows += range.rows;
    await appendFile(file, range.body);
  }
  return { rows, bodies, file };
}
