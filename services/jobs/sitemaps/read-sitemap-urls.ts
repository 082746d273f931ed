import { parseRobots } from '../../../shared/robots/parse-robots.js';
import { SAVED_COPY_MS } from '../../../shared/robots/versions-in-force.js';
import type { JobDeps, JobWebsite } from '../runner/website-job.js';
import { readLastRobots } from './robots-sitemaps.js';

/**
 * The sitemaps that the website's robots.txt names, as it writes them, each once; none where there is no robots.txt. A copy counts as long as crawlers keep one
 * of a website that does not answer. null: it is not known what robots.txt says.
 * @throws as `ClickHouseReader.read`
 */
export async function readSitemapUrls(
  { id }: JobWebsite,
  { clickhouse, now }: Pick<JobDeps, 'clickhouse' | 'now'>,
): Promise<readonly string[] | null> {
  const text = await readLastRobots(clickhouse, id, now() - SAVED_COPY_MS);
  if (text === null) return null;
  return [...new Set(parseRobots(text).sitemaps)];
}
