import { randomUUID } from 'node:crypto';
import { importanceJob } from './importance/importance-job.js';
import { sitemapsJob } from './sitemaps/sitemaps-job.js';
import type { WebsiteJob } from './website-job.js';

/** Every job of a website, in the order in which they run where several are due. */
export const websiteJobs: readonly WebsiteJob[] = [sitemapsJob, importanceJob(randomUUID)];
