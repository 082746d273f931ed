import { z } from 'zod';
import type { CrawlDelta } from '../../../../shared/control/domain/model.js';
import type { CrawlOf } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

const count = z.number();

/** Compares the fetched URLs of a crawl with those of an earlier one of the website. */
export async function readCrawlDelta(
  reader: ClickHouseReader,
  { websiteId, crawlId }: CrawlOf,
  previousCrawlId: string,
): Promise<CrawlDelta> {
  const [row] = await reader.read({
    name: 'crawl.delta',
    sql: `SELECT countIf(u.now AND NOT u.before) AS new, countIf(u.before AND NOT u.now) AS gone,
  countIf(u.now AND u.before AND u.statuses > 1) AS statusChanged, countIf(u.now AND u.before AND u.titles > 1) AS titleChanged,
  countIf(u.now AND u.before AND u.canonicals > 1) AS canonicalChanged, countIf(u.now AND u.before AND u.judgements > 1) AS indexableChanged
FROM (
  SELECT countIf(p.crawl_id = {crawl_id: String}) > 0 AS now, countIf(p.crawl_id = {previous: String}) > 0 AS before,
    uniqExact(p.status) AS statuses, uniqExact(p.title) AS titles, uniqExact(p.canonical) AS canonicals, uniqExact(p.indexable) AS judgements
  FROM crawl_pages AS p FINAL
  WHERE p.website_id = {website_id: String} AND p.crawl_id IN ({crawl_id: String}, {previous: String})
    AND p.fetched_at > toDateTime64(0, 3, 'UTC')
  GROUP BY p.url
) AS u`,
    params: { website_id: websiteId, crawl_id: crawlId, previous: previousCrawlId },
    row: z.object({
      ...{ new: count, gone: count, statusChanged: count, titleChanged: count },
      ...{ canonicalChanged: count, indexableChanged: count },
    }),
    caughtUpWith: ['crawl_pages'],
  });
  return { previousCrawlId, ...row! };
}
