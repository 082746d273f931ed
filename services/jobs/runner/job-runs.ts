import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../../../shared/store/client.js';
import { insertRows } from '../../../shared/store/insert-rows.js';
import { asIs, instant, number, storedFields, text } from '../../../shared/store/stored-fields.js';
import { readByWebsites } from '../../../shared/store/website-pages.js';

/** When each job of a website last ran, and its result. */

const ended = storedFields({
  websiteId: text,
  job: text,
  startedAt: instant,
  finishedAt: instant,
  /** Consecutive runs that failed or had nothing to work on, including this one; 0 after a run that was done. */
  failures: number,
  outcome: asIs(z.enum(['done', 'nothing_yet', 'failed', 'timed_out'])),
  /** The error in short; '' if the run did not fail. */
  problem: text,
});
export type EndedJobRun = Readonly<z.output<typeof ended.row>>;

const lastRun = ended.row.omit({ outcome: true, problem: true });
export type JobRun = Readonly<z.output<typeof lastRun>>;

/** The last run of each job of each website. @throws as `ClickHouseReader.read` */
export function readJobRuns(reader: ClickHouseReader, pageRows?: number): Promise<JobRun[]> {
  return readByWebsites(
    reader,
    {
      name: 'job_runs.last',
      sql: `SELECT website_id AS websiteId, job, toUnixTimestamp64Milli(max(started_at)) AS startedAt,
  toUnixTimestamp64Milli(max(finished_at)) AS finishedAt, argMax(j.failures, j.finished_at) AS failures
FROM job_runs AS j
WHERE website_id > {after: String}
GROUP BY website_id, job
ORDER BY website_id
LIMIT {page_rows: UInt64} WITH TIES
SETTINGS optimize_aggregation_in_order = 1`,
      params: {},
      row: lastRun,
    },
    pageRows,
  );
}

/** Replaces the job's earlier run; a repeat changes nothing. @throws as `ClickHouseWriter.insert` */
export async function insertJobRun(writer: ClickHouseWriter, run: EndedJobRun): Promise<void> {
  await insertRows(writer, {
    table: 'job_runs',
    rows: [ended.toRow(run)],
    deduplicationToken: `job_runs/${run.websiteId}/${run.job}/${run.startedAt}`,
  });
}
