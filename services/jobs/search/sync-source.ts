import {
  insertSourceSync,
  readSourceSync,
  type SourceSync,
} from '../../../shared/connections/source-syncs.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { SearchConnection } from '../../../shared/reads/search/search-connection.js';
import { readMarks } from '../../../shared/reads/search/search-sync-marks.js';
import { SourceError } from '../connections/source-error.js';
import type { JobDeps } from '../runner/website-job.js';
import { inspectPaths } from './inspect-paths.js';
import type { SearchSource } from './sync/search-source.js';
import { type SyncDeps, syncDays, syncPageQueries } from './sync/sync-days.js';

/** The limit of a run, minus the longest time of one step (a day's pages with all retries). */
const WORK_MS = 8 * MINUTE_MS;

/**
 * Reads the new days of a source and a part of its history, and inspects paths. The result is recorded, even if the source failed.
 * @param open returns null if the credential cannot be opened
 * @returns the SourceError that ended it; null: it is complete
 * @throws as ClickHouse
 */
export async function syncSource(
  connection: SearchConnection,
  domain: string,
  open: () => SearchSource | null,
  { clickhouse, now, signal }: Pick<JobDeps, 'clickhouse' | 'now' | 'signal'>,
): Promise<SourceError | null> {
  const before = await readSourceSync(clickhouse, connection);
  const progress = {
    through: before?.dataThrough ?? null,
    marks: readMarks(before?.marks),
    counts: { days: 0, days_left: 0, inspected: 0 },
  };
  const deps: SyncDeps = { clickhouse, now, signal, until: now() + WORK_MS };
  const failure = await work(connection, domain, open, progress, deps).then(
    () => null,
    (error: unknown) => {
      if (error instanceof SourceError) return error;
      throw error;
    },
  );
  const sync: SourceSync = {
    websiteId: connection.websiteId,
    sourceId: connection.sourceId,
    attemptedAt: now(),
    lastSyncAt: failure === null ? now() : (before?.lastSyncAt ?? null),
    dataThrough: progress.through,
    counts: failure === null ? progress.counts : (before?.counts ?? progress.counts),
    problem: failure?.message ?? null,
    marks: progress.marks,
  };
  await insertSourceSync(clickhouse, connection.kind, sync);
  return failure;
}

interface Progress {
  through: string | null;
  marks: ReturnType<typeof readMarks>;
  counts: Record<'days' | 'days_left' | 'inspected', number>;
}

async function work(
  connection: SearchConnection,
  domain: string,
  open: () => SearchSource | null,
  progress: Progress,
  deps: SyncDeps,
): Promise<void> {
  const source = open();
  if (source === null)
    throw new SourceError('refused', 'the credential cannot be opened: connect the website again');
  const days = await syncDays(connection, domain, source, deps);
  progress.counts.days = days.stored;
  progress.counts.days_left = days.left;
  progress.through = days.through ?? progress.through;
  const { through } = progress;
  if (through !== null && (progress.marks.pageQueries?.through !== through || days.stored > 0)) {
    const version = await syncPageQueries(connection, domain, { through, source }, deps);
    if (version !== null) progress.marks = { pageQueries: { version, through } };
  }
  if (source.inspect !== null)
    progress.counts.inspected = await inspectPaths(connection, domain, source.inspect, deps);
}
