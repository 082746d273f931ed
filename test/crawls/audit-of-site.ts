import { finishCrawl } from '../../services/jobs/crawls/site/finish-crawl.js';
import { crawlAudit } from '../../shared/reads/crawls/crawl-audit.js';
import type { CrawlOf } from '../../shared/reads/crawls/findings/crawl-page.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../shared/store/client.js';
import type { SeededFault } from '../harness/site/seeded-fault.js';

/** The audit of a crawl of the generated site, compared with the seeded faults. Each line is a finding and a URL. */

const MOST_ROWS = 1_000_000;
const NOW = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 86_400_000;

export interface AuditAgainstSeeds {
  readonly found: readonly string[];
  readonly seeded: readonly string[];
}

/** Finishes a crawl with status `ready` and reads its audit. */
export async function auditAgainstSeeds(
  clickhouse: ClickHouseReader & ClickHouseWriter,
  { websiteId, crawlId }: CrawlOf,
  faults: readonly SeededFault[],
): Promise<AuditAgainstSeeds> {
  const { urlCount } = await finishCrawl({ websiteId, crawlId }, { reader: clickhouse, writer: clickhouse });
  const answer = await crawlAudit.read(
    clickhouse,
    { websiteId, window: { start: NOW - DAY_MS, end: NOW, running: true }, filters: {} },
    { crawl: { crawlId, source: 'service_crawler', urlCount, completedAt: null }, limit: MOST_ROWS },
  );
  return {
    found: answer.findings.flatMap(({ key, rows }) => rows.map(({ url }) => `${key} ${url}`)).toSorted(),
    seeded: faults.map(({ finding, url }) => `${finding} ${url}`).toSorted(),
  };
}
