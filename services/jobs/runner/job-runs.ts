import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../../../shared/store/client.js';
import { insertRows } from '../../../shared/store/insert-rows.js';
import { asIs, instant, number, storedFields, text } from '../../../shared/store/stored-fields.js';
import { readByWebsites } from '../../../shared/store/website-pages.js';

/** When each job of a website last ran, and how it ended. */

const ended = storedFields({
  websiteId: text,
  job: text,
  startedAt: instant,
  finishedAt: instant,
  /** Runs in a row that failed or had nothing to work on yet, this one included; 0 where it was done. */
  failures: number,
  outcome: asIs(z.enum(['done', 'nothing_yet', 'failed', 'timed_out'])),
  /** What the log says of a failure; '' where it did not fail. */
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

/** It replaces the job's earlier run; a repeat changes nothing. @throws as `ClickHouseWriter.insert` */
export async function insertJobRun(writer: ClickHouseWriter, run: EndedJobRun): Promise<void> {
  await insertRows(writer, {
    table: 'job_runs',
    rows: [ended.toRow(run)],
    deduplicationToken: `job_runs/${run.websiteId}/${run.job}/${run.startedAt}`,
  });
}
