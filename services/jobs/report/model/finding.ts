import type { CrawlBasis } from '../../../../shared/reads/bots/crawl-basis-sql.js';
import type { Level, Table } from './document.js';
import type { ReportData } from './report-data.js';

/** Something that a website should look at. */
export interface Finding {
  readonly title: string;
  /** What was found, with its numbers, as sentences. */
  readonly figure: string;
  readonly why: string;
  readonly action: string;
  /** The read of the API that has its figures. */
  readonly read: string;
  /** From 0 to 100: what it costs to leave it as it is. The order of the report. */
  readonly impact: number;
  readonly examples: Table | null;
}

/** @returns null where there is nothing to tell, or nothing that it could rest on. Pure. */
export type Find = (data: ReportData) => Finding | null;

const HIGH = 65;
const MEDIUM = 35;

export function levelOf(impact: number): Level {
  return impact >= HIGH ? 'high' : impact >= MEDIUM ? 'medium' : 'low';
}

/** @param most where the impact ends, however bad it gets. */
export const impact = (value: number, most = 100) => Math.min(Math.max(value, 0), most);

/** Says of a figure of crawlers that it rests on claims, where it does. */
export function onBasis(basis: CrawlBasis, figure: string, crawler = 'a search crawler'): string {
  return basis === 'verified'
    ? figure
    : `${figure} None of these requests is verified as from ${crawler}: anyone can send such a user agent.`;
}

/** The call that lists the requests that a finding counts. @param query which of the requests of search crawlers */
export const requestsRead = (basis: CrawlBasis, query: string) =>
  `GET /seo/requests?${query}${basis === 'verified' ? '&bot_verified=true' : ''}`;

/** Of examples in a finding. */
export const MOST_EXAMPLES = 5;
