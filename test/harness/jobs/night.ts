import pino from 'pino';
import { givenFiles } from '../../../deploy/admin/server/given-files.js';
import { checksJob } from '../../../services/jobs/checks/checks-job.js';
import { visitBounds } from '../../../services/jobs/checks/gather/visit.js';
import type { JobResult, JobWebsite } from '../../../services/jobs/runner/website-job.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import type { TestApi } from '../api.js';
import type { TestClickHouse } from '../clickhouse.js';

/** One evaluation of a website on the engine. */

export interface Night {
  readonly at: number;
  /** Absent: nothing is fetched from websites. */
  readonly files?: Record<string, string>;
  readonly isAlerted?: boolean;
  readonly sendAlerts?: (alerts: readonly Alert[]) => Promise<void>;
}

export const websiteOf = (api: TestApi): JobWebsite => {
  return { id: api.website.id, domain: 'example.com', organisationId: 'org', createdAt: '' };
};

/** @param night `sent`: receives the alerts, unless `sendAlerts` does */
export function checkWebsite(
  { clickhouse }: TestClickHouse,
  website: JobWebsite,
  { at, files, isAlerted = true, sendAlerts, sent }: Night & { readonly sent: Alert[] },
): Promise<JobResult> {
  const bytes = Object.entries(files ?? {}).map(([path, text]) => [path, Buffer.from(text)] as const);
  const job = checksJob({
    fetches: files !== undefined,
    isAlerted: () => isAlerted,
    sendAlerts: sendAlerts ?? (async (alerts) => void sent.push(...alerts)),
    bounds: { ...visitBounds, pauseMs: 0 },
  });
  return job.run(website, {
    clickhouse,
    fetch: givenFiles(new Map(bytes)),
    now: () => at,
    logger: pino({ level: 'silent' }),
    planOf: () => ({ listedUrls: 1_000, hourlyApiLimit: 100 }),
    requested: false,
    details: '',
    signal: new AbortController().signal,
  });
}
