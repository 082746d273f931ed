import { parseRobots } from '../../../shared/robots/parse-robots.js';
import { SAVED_COPY_MS } from '../../../shared/robots/versions-in-force.js';
import type { JobDeps, JobWebsite } from '../runner/website-job.js';
import { readLastRobots } from './robots-sitemaps.js';

/**
 * The sitemaps in the website's robots.txt, as written, each once; none if there is no robots.txt. If the website does not respond, the stored copy counts as
 * long as crawlers would use theirs. null: the content of robots.txt is unknown.
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
