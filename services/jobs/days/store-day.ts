import { Readable } from 'node:stream';
import type { FileFormat } from '../../../shared/control/exports/file-format.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { fileKindOf } from '../../../shared/files/file-kind.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import { toAnswerWindow } from '../../../shared/reads/answer/windows.js';
import { type DayMark, dayColumns, renderDay } from '../../../shared/reads/exports/day-requests.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { MadeFiles } from '../export-makers/maker.js';
import { storeMade } from '../exports/store-made.js';
import type { JobDeps } from '../runner/website-job.js';

/** Marks a complete day. Readers of Parquet and Hive ignore names with this prefix. */
export const DAY_MANIFEST = '_manifest.json';

const STATEMENT_MS = 10 * MINUTE_MS;

export type DaysDeps = Pick<JobDeps, 'now' | 'signal' | 'logger'> & {
  readonly clickhouse: Pick<ClickHouse, 'read' | 'readFile'>;
};

export interface StoredDay {
  /** The prefix of its keys. */
  readonly prefix: string;
  readonly websiteId: string;
  /** Its beginning, milliseconds since the epoch. */
  readonly day: number;
  readonly format: FileFormat;
  /** Read before its rows. */
  readonly stored: DayMark;
  readonly rulesVersion: string;
}

export const dayFileName = (format: FileFormat) => `requests${fileKindOf(format, 'gzip').ending}`;

/** Stores a day's file, then its manifest, and replaces earlier ones. @throws as readFile and put */
export async function storeDay(store: FileStore, dayFacts: StoredDay, deps: DaysDeps): Promise<void> {
  const { prefix, websiteId, day, format } = dayFacts;
  const { clickhouse, now, signal } = deps;
  const { compression, contentType } = fileKindOf(format, 'gzip');
  const { bytes, rows } = await clickhouse.readFile({
    ...renderDay(websiteId, day, format, dayFacts.stored.addresses),
    name: 'exports.day',
    compression,
    timeoutMs: STATEMENT_MS,
    signal,
  });
  // A lagging replica of the store has fewer rows.
  if (rows < dayFacts.stored.rows) {
    bytes.destroy();
    throw new Error(`the store returned ${rows} of ${dayFacts.stored.rows} rows of the day`);
  }
  const name = dayFileName(format);
  const made: MadeFiles = {
    rows,
    file: { name, contentType, bytes },
    beside: (file) => {
      const text = JSON.stringify(manifestOf(dayFacts, { ...file, name, rows, madeAt: now() }), null, 2);
      return [{ name: DAY_MANIFEST, contentType: 'application/json', bytes: Readable.from([`${text}\n`]) }];
    },
  };
  await storeMade(store, prefix, made, { signal, onBytes: () => {}, mostBytes: Number.POSITIVE_INFINITY });
}

function manifestOf(
  { websiteId, day, format, stored, rulesVersion }: StoredDay,
  file: { name: string; rows: number; bytes: number; sha256: string; madeAt: number },
) {
  return {
    website_id: websiteId,
    date: new Date(day).toISOString().slice(0, 10),
    file: file.name,
    format,
    compression: fileKindOf(format, 'gzip').compression,
    rows: file.rows,
    bytes: file.bytes,
    sha256: file.sha256,
    window: toAnswerWindow({ start: day, end: day + DAY_MS }),
    rules_version: rulesVersion,
    columns: dayColumns(stored.addresses).map(({ name }) => name),
    // Otherwise the column exists but is empty.
    client_ips: stored.addresses && (stored.unaddressed === 0 || stored.unaddressed < stored.rows),
    stored,
    made_at: new Date(file.madeAt).toISOString(),
  };
}
