import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DAY_MS } from '../../../shared/durations.js';
import { topics } from '../../../shared/event-log/topics.js';
import { removeAll } from '../../../shared/files/file-store.js';
import { DAILY_BUILD, requestJob } from '../../../shared/jobs/job-request.js';
import { dayPrefix } from '../../../shared/reads/exports/day-requests.js';
import { dayBlocks } from '../erasure/erase-blocks.js';
import { rewriteBlocks } from '../erasure/rewrite-log.js';
import { MOST_PASSES, PAUSE_MS, type StoredData } from '../erasure/stored-data.js';
import type { RowCounts } from '../rows/erase-rows.js';
import { countDays, type ForgottenDays, forgetDays } from '../rows/forget-days.js';
import { refuseUnknownWebsite } from './refuse-unknown-website.js';

/** Most days of one command. Each day costs a listing of its folder in the file store. */
const MOST_DAYS = 400;

const countOfDays = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The operator's request: days by the requests' own time, both included. */
export const wantedForget = z
  .strictObject({
    websiteId: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    /** Only requests of this log source; null: of all. */
    source: z
      .string()
      .regex(/^[a-z0-9_-]{1,64}$/, 'expected the name of a log source')
      .nullable(),
    /** false: a preview without changes. */
    yes: z.boolean(),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'is before the first day' })
  .refine(({ from, to }) => countOfDays(from, to) <= MOST_DAYS, {
    path: ['to'],
    message: `at most ${MOST_DAYS} days at once`,
  });
type WantedForget = z.infer<typeof wantedForget>;

export interface ForgetReport {
  readonly websiteId: string;
  /** Rows by table: rows of `requests` to be removed, and all rollup rows of the days. */
  readonly before: RowCounts;
  /** As `before`, after the removal; null: a preview. */
  readonly after: RowCounts | null;
  /** Rewritten log records. */
  readonly records: number;
  /** Removed files of stored days; the schedule stores these days again. */
  readonly files: number;
  /** ISO 8601: the log keeps the uploads until then, since its records can't be rewritten; null: the log has none. */
  readonly logUntil: string | null;
  /** The last pass found nothing. False: repeat the command. */
  readonly complete: boolean;
  /** ISO 8601: requests received in a later second stay. It names the next import of the same content (docs/import.md). */
  readonly receivedBy: string;
}

/**
 * Removes days, or returns a preview.
 * @throws PublicError `not_found`, and errors of withInsertsHeld. StoreUnavailableError, LogUnavailableError, FileStoreError: repeat it.
 */
export type ForgetDays = (wanted: WantedForget) => Promise<ForgetReport>;

export function createForgetDays(options: StoredData): ForgetDays {
  const { control, log, clickhouse, files = null, now, logger, pauseMs = PAUSE_MS } = options;

  /** Rewrites the log first, so inserts that wait meanwhile do not contain the days. */
  async function forgetOnce(days: ForgottenDays): Promise<{ rows: number; records: number }> {
    return options.withInsertsHeld(async () => {
      const records = await rewriteBlocks(log, dayBlocks(days));
      return { records, rows: await forgetDays(clickhouse, days, options) };
    });
  }

  async function removeFiles({ websiteId, from, to }: ForgottenDays): Promise<number> {
    let count = 0;
    if (files !== null)
      for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
        count += await removeAll(files, dayPrefix(websiteId, at));
    return count;
  }

  return async ({ yes, ...wanted }) => {
    const { websiteId } = wanted;
    refuseUnknownWebsite(control, websiteId);
    const began = now();
    const days = { ...wanted, receivedBy: began };
    const before = await countDays(clickhouse, days);
    const logUntil =
      log.rewrite === undefined
        ? new Date(began + (topics['requests.raw'].retentionMs ?? 0)).toISOString()
        : null;
    const span = { websiteId, before, logUntil, receivedBy: new Date(began).toISOString() };
    if (!yes) return { ...span, after: null, records: 0, files: 0, complete: true };
    let rows = 0;
    let records = 0;
    let complete = false;
    for (let pass = 1; pass <= MOST_PASSES && !complete; pass++) {
      if (pass > 1) await sleep(pauseMs);
      const done = await forgetOnce(days);
      rows += done.rows;
      records += done.records;
      complete = pass > 1 && done.rows + done.records === 0;
    }
    const removed = await removeFiles(days);
    await requestJob(log, { kind: DAILY_BUILD, websiteId });
    const after = await countDays(clickhouse, days);
    logger.info({ ...wanted, rows, records, files: removed, complete }, 'days forgotten');
    return { ...span, after, records, files: removed, complete: complete && after.requests === 0 };
  };
}
