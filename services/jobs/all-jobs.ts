import { randomUUID } from 'node:crypto';
import { type ChecksParts, checksJob } from './checks/checks-job.js';
import { type DaysParts, daysJob } from './days/days-job.js';
import { importanceJob } from './importance/importance-job.js';
import { robotsJob } from './robots/robots-job.js';
import type { WebsiteJob } from './runner/website-job.js';
import { sitemapsJob } from './sitemaps/sitemaps-job.js';

/**
 * Every job of a website, in the order in which due jobs run. Sitemaps need robots.txt, and checks need both.
 * @param parts `days`: null if no files are stored. `fetches`: false leaves out the jobs that only fetch
 */
export function websiteJobs(parts: ChecksParts & { readonly days: DaysParts | null }): readonly WebsiteJob[] {
  const fetching = parts.fetches ? [robotsJob, sitemapsJob] : [];
  return [
    ...fetching,
    importanceJob(randomUUID),
    checksJob(parts),
    ...(parts.days === null ? [] : [daysJob(parts.days)]),
  ];
}
