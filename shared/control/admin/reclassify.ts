import { z } from 'zod';
import type { ClickHouse } from '../../clickhouse/client.js';
import { type ReclassifyReport, reclassifyRows, websitesOf } from '../../clickhouse/reclassify-rows.js';
import { createCrawlerRules, loadRuleData } from '../../crawlers/crawler-rules.js';
import { createRequestClassifier } from '../../crawlers/judge-request.js';
import { PublicError } from '../../errors.js';
import type { Logger } from '../../log.js';
import type { ControlPlane } from '../control-plane.js';

/** What the operator asks: days by the requests' own time, both included; null: every website. */
export const reclassification = z
  .strictObject({ from: z.iso.date(), to: z.iso.date(), websiteId: z.string().nullable() })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'lies before from' });
type Reclassification = z.infer<typeof reclassification>;

export interface WebsiteReport extends ReclassifyReport {
  readonly websiteId: string;
}

/** Judges stored rows anew by the rules of this release. @throws PublicError `not_found`; as reclassifyRows: repeat it. */
export type Reclassify = (wanted: Reclassification) => Promise<WebsiteReport[]>;

interface ReclassifyOptions {
  readonly control: ControlPlane;
  readonly clickhouse: ClickHouse;
  readonly cluster?: string | undefined;
  /** Runs the work while nothing is inserted into `requests`. */
  withInsertsHeld<T>(work: () => Promise<T>): Promise<T>;
  readonly newId: () => string;
  readonly logger: Logger;
}

/** User agents whose facts are kept. */
const CACHED_USER_AGENTS = 20_000;

/** Website by website: what is held back meanwhile waits for one at most. */
export function createReclassify(options: ReclassifyOptions): Reclassify {
  const { control, clickhouse, withInsertsHeld } = options;
  return async ({ websiteId, from, to }) => {
    if (websiteId !== null && control.state().websites.get(websiteId) === undefined)
      throw new PublicError('not_found', `there is no website "${websiteId}"`);
    const judge = createRequestClassifier(createCrawlerRules(loadRuleData()), CACHED_USER_AGENTS);
    const websites = websiteId === null ? await websitesOf(clickhouse, { from, to }) : [websiteId];
    const reports: WebsiteReport[] = [];
    for (const id of websites) {
      const stretch = { websiteId: id, from, to };
      const report = await withInsertsHeld(() => reclassifyRows(clickhouse, stretch, { ...options, judge }));
      reports.push({ websiteId: id, ...report });
    }
    return reports;
  };
}
