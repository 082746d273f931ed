import { randomUUID } from 'node:crypto';
import { type ChecksParts, checksJob } from './checks/checks-job.js';
import { type DaysParts, daysJob } from './days/days-job.js';
import { importanceJob } from './importance/importance-job.js';
import { robotsJob } from './robots/robots-job.js';
import type { WebsiteJob } from './runner/website-job.js';
import { sitemapsJob } from './sitemaps/sitemaps-job.js';

/**
 * Every job of a website, in the order in which they run where several are due: robots.txt says which sitemaps there are, and checks look at both.
 * @param parts `days`: null where no files are stored. Where it fetches nothing from websites, jobs that can do nothing else are left out.
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
