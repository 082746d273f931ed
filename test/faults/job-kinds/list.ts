import { alerted } from './alert.js';
import { nightlyChecks } from './checks.js';
import { crawl } from './crawl.js';
import { uploadedCrawl } from './crawl-upload.js';
import { digest } from './digest.js';
import { exported } from './export.js';
import { importance } from './importance.js';
import { insights } from './insights.js';
import type { JobKind } from './job-kind.js';
import { robots } from './robots.js';
import { schedule } from './schedule.js';
import { seoReport } from './seo-report.js';
import { sitemaps } from './sitemaps.js';

/** Every kind of job whose process the suite kills. */
export const jobKinds: readonly JobKind[] = [
  ...[robots, sitemaps, importance, nightlyChecks, insights],
  ...[crawl, uploadedCrawl, exported, seoReport, schedule, alerted, digest],
];
