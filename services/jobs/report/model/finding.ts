import type { CrawlBasis } from '../../../../shared/reads/bots/crawl-basis-sql.js';
import type { Level, Table } from './document.js';
import type { ReportData } from './report-data.js';

/** A problem that the website's owner should solve. */
export interface Finding {
  readonly title: string;
  /** The problem with its numbers, as sentences. */
  readonly figure: string;
  readonly why: string;
  readonly action: string;
  /** The API read with its figures. */
  readonly read: string;
  /** From 0 to 100: the cost of leaving the problem. It determines the order of the report. */
  readonly impact: number;
  readonly examples: Table | null;
}

/** @returns null if there is no problem, or too little data. Pure */
export type Find = (data: ReportData) => Finding | null;

const HIGH = 65;
const MEDIUM = 35;

export function levelOf(impact: number): Level {
  return impact >= HIGH ? 'high' : impact >= MEDIUM ? 'medium' : 'low';
}

/** @param most the maximum of this impact */
export const impact = (value: number, most = 100) => Math.min(Math.max(value, 0), most);

/** Adds to a figure of crawlers that it counts unverified requests, if it does. */
export function onBasis(basis: CrawlBasis, figure: string, crawler = 'a search crawler'): string {
  return basis === 'verified'
    ? figure
    : `${figure} None of these requests is verified as from ${crawler}: anyone can send such a user agent.`;
}

/** The API call that lists the counted requests of a finding. @param query selects the requests of search crawlers */
export const requestsRead = (basis: CrawlBasis, query: string) =>
  `GET /seo/requests?${query}${basis === 'verified' ? '&bot_verified=true' : ''}`;

/** The number of examples in a finding. */
export const MOST_EXAMPLES = 5;
