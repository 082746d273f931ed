import { z } from 'zod';
import { readCrawlerLists } from '../../../shared/crawlers/crawler-list-rows.js';
import { createCrawlerRules, loadRuleData } from '../../../shared/crawlers/crawler-rules.js';
import { withLists } from '../../../shared/crawlers/follow-lists.js';
import { createJudge } from '../../../shared/crawlers/judge-request.js';
import { PublicError } from '../../../shared/errors.js';
import { DAILY_BUILD, requestJob } from '../../../shared/jobs/job-request.js';
import type { StoredData } from '../erasure/stored-data.js';
import { reclassifyRows, type Stretch, websitesOf } from '../rows/reclassify-rows.js';

/** The operator's request: days by the requests' own time, both included; null: every website. */
export const reclassification = z
  .strictObject({ from: z.iso.date(), to: z.iso.date(), websiteId: z.string().nullable() })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'is before from' });
type Reclassification = z.infer<typeof reclassification>;

/** The figures are null if an error ended the website. */
export interface WebsiteReport {
  readonly websiteId: string;
  readonly days: number | null;
  readonly rows: number | null;
  readonly changed: number | null;
  readonly error: string | null;
}

/**
 * Classifies stored rows again, by the rules of this version and the downloaded lists. Then it requests the daily
 * builds. An error of one website is in its report, and the others continue; repeat the command for the failed ones.
 * @throws PublicError `not_found`, and errors of withInsertsHeld, since they affect all websites.
 */
export type Reclassify = (wanted: Reclassification) => Promise<WebsiteReport[]>;

type Judge = ReturnType<typeof createJudge>;

/** User agents in the cache. */
const CACHED_USER_AGENTS = 20_000;

/** Holds inserts for one website at a time, so they wait for one website at most. */
export function createReclassify(options: StoredData): Reclassify {
  const { control, clickhouse, withInsertsHeld, log, logger, now } = options;

  async function judgeWebsite(stretch: Stretch, judge: Judge): Promise<WebsiteReport> {
    const { websiteId } = stretch;
    try {
      const report = await withInsertsHeld(() => reclassifyRows(clickhouse, stretch, { ...options, judge }));
      await requestJob(log, { kind: DAILY_BUILD, websiteId });
      return { websiteId, ...report, error: null };
    } catch (error) {
      if (error instanceof PublicError) throw error;
      logger.error({ err: error, website_id: websiteId }, 'a website was not reclassified');
      const message = error instanceof Error ? error.message : String(error);
      return { websiteId, days: null, rows: null, changed: null, error: message };
    }
  }

  return async ({ websiteId, from, to }) => {
    if (websiteId !== null && control.state().websites.get(websiteId) === undefined)
      throw new PublicError('not_found', `there is no website "${websiteId}"`);
    const data = loadRuleData();
    const history = withLists(data.history, await readCrawlerLists(clickhouse), now());
    const judge = createJudge(createCrawlerRules({ ...data, history }), CACHED_USER_AGENTS);
    const websites = websiteId === null ? await websitesOf(clickhouse, { from, to }) : [websiteId];
    const reports: WebsiteReport[] = [];
    for (const id of websites) reports.push(await judgeWebsite({ websiteId: id, from, to }, judge));
    return reports;
  };
}
