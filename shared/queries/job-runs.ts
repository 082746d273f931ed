import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../clickhouse/client.js';
import { dateTime64, insertRows } from '../clickhouse/insert-rows.js';

/** When each job of a website last ran, and how it ended. */

const row = z.object({
  website_id: z.string(),
  job: z.string(),
  started_at_ms: z.number(),
  finished_at_ms: z.number(),
  failures: z.number(),
});

export interface JobRun {
  readonly websiteId: string;
  readonly job: string;
  /** Milliseconds since the epoch, as `finishedAt`. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Runs in a row that failed or had nothing to work on yet, this one included; 0 where it was done. */
  readonly failures: number;
}

export interface EndedJobRun extends JobRun {
  readonly outcome: 'done' | 'nothing_yet' | 'failed' | 'timed_out';
  /** What the log says of a failure; '' where it did not fail. */
  readonly problem: string;
}

/** Of one statement: what there is in all has no bound but the number of websites. */
const PAGE_ROWS = 100_000;

/** The last run of each job of each website. @throws as `ClickHouseReader.read` */
export async function readJobRuns(reader: ClickHouseReader, pageRows = PAGE_ROWS): Promise<JobRun[]> {
  const runs: JobRun[] = [];
  for (let after = ''; ; ) {
    const page = await readPage(reader, after, pageRows);
    for (const run of page) runs.push(run);
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return runs;
    after = last.websiteId;
  }
}

/** Those of the next websites in the order of their ids, each with all its jobs. */
async function readPage(reader: ClickHouseReader, after: string, pageRows: number): Promise<JobRun[]> {
  const rows = await reader.read({
    name: 'job_runs.last',
    sql: `SELECT website_id, job, toUnixTimestamp64Milli(max(started_at)) AS started_at_ms,
  toUnixTimestamp64Milli(max(finished_at)) AS finished_at_ms, argMax(j.failures, j.finished_at) AS failures
FROM job_runs AS j
WHERE website_id > {after: String}
GROUP BY website_id, job
ORDER BY website_id
LIMIT {page_rows: UInt64} WITH TIES
SETTINGS optimize_aggregation_in_order = 1`,
    params: { after, page_rows: pageRows },
    row,
  });
  return rows.map(({ website_id, job, started_at_ms, finished_at_ms, failures }) => {
    return { websiteId: website_id, job, startedAt: started_at_ms, finishedAt: finished_at_ms, failures };
  });
}

/** It replaces the job's earlier run; a repeat changes nothing. @throws as `ClickHouseWriter.insert` */
export async function insertJobRun(writer: ClickHouseWriter, run: EndedJobRun): Promise<void> {
  await insertRows(writer, {
    table: 'job_runs',
    rows: [
      {
        website_id: run.websiteId,
        job: run.job,
        started_at: dateTime64(run.startedAt),
        finished_at: dateTime64(run.finishedAt),
        outcome: run.outcome,
        failures: run.failures,
        problem: run.problem,
      },
    ],
    deduplicationToken: `job_runs/${run.websiteId}/${run.job}/${run.startedAt}`,
  });
}
