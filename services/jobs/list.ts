import { randomUUID } from 'node:crypto';
import { importanceJob } from './importance/importance-job.js';
import { robotsJob } from './robots/robots-job.js';
import { sitemapsJob } from './sitemaps/sitemaps-job.js';
import type { WebsiteJob } from './website-job.js';

/** Every job of a website, in the order in which they run where several are due: robots.txt says which sitemaps there are. */
export const websiteJobs: readonly WebsiteJob[] = [robotsJob, sitemapsJob, importanceJob(randomUUID)];
