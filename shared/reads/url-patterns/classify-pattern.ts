import { splitExtension } from './classify-segment.js';

/** Classifies a pattern and flags its problems. Pure: uses its name and figures. */

export const patternTypes = [
  'parameters',
  'pagination',
  'date',
  'id',
  'slug',
  'file',
  'language',
  'static',
] as const;
export type PatternType = (typeof patternTypes)[number];

/** Extensions of pages: the part before them determines the type of the URL. */
const pageExtensions: ReadonlySet<string> = new Set([
  '',
  '.html',
  '.htm',
  '.php',
  '.asp',
  '.aspx',
  '.jsp',
  '.xhtml',
]);

/** The first matching type. @param hasQuery its URLs have query strings. */
export function patternTypeOf(pattern: string, hasQuery: boolean): PatternType {
  if (hasQuery || pattern.includes('{params}')) return 'parameters';
  if (pattern.includes('{page}')) return 'pagination';
  const last = pattern.slice(pattern.lastIndexOf('/') + 1);
  if (!pageExtensions.has(splitExtension(last).extension.toLowerCase())) return 'file';
  if (/\{(date|year)\}/.test(pattern)) return 'date';
  if (/\{(number|uuid|hash|id)\}/.test(pattern)) return 'id';
  if (/\{(slug|other|deeper)\}/.test(pattern)) return 'slug';
  return pattern.includes('{lang}') ? 'language' : 'static';
}

export interface PatternFigures {
  readonly requests: number;
  readonly redirected: number;
  readonly status_4xx: number;
  readonly status_5xx: number;
}

/** Minimum requests for a share to be meaningful. */
const FEWEST = 10;

/** Each flag with its minimum share, and its text in the API document. */
export const flagRules = {
  server_errors: { least: 0.02, text: 'at least 2 % of the requests were answered 5xx: fix the template' },
  high_error_rate: {
    least: 0.2,
    text: 'at least 20 % were answered 4xx or 5xx: find the links by which crawlers know these URLs',
  },
  redirect_heavy: {
    least: 0.3,
    text: 'at least 30 % were redirected (301, 302, 303, 307, 308): link and list the targets instead',
  },
  low_value: {
    least: 0.5,
    text: 'at least half returned no content (4xx, 5xx, redirected): these requests are wasted',
  },
  parameter_waste: {
    least: 0.01,
    text: 'URLs with query strings take at least 1 % of the crawl: canonicalise them, or block crawlers by robots.txt',
  },
  endless_space: {
    least: 0.01,
    text: 'dates or page numbers take at least 1 % of the crawl: such URLs may be unlimited (calendars, archives)',
  },
} as const;
export type PatternFlag = keyof typeof flagRules;
export const patternFlags = Object.keys(flagRules) as PatternFlag[];

/** @param crawl all requests of the crawl, including those of the pattern. */
export function flagsOf(type: PatternType, figures: PatternFigures, crawl: number): PatternFlag[] {
  const { requests, redirected, status_4xx, status_5xx } = figures;
  if (requests < FEWEST) return [];
  const ofCrawl = (applies: boolean) => (applies ? requests / crawl : 0);
  const shares: Record<PatternFlag, number> = {
    server_errors: status_5xx / requests,
    high_error_rate: (status_4xx + status_5xx) / requests,
    redirect_heavy: redirected / requests,
    low_value: (redirected + status_4xx + status_5xx) / requests,
    parameter_waste: ofCrawl(type === 'parameters'),
    endless_space: ofCrawl(type === 'pagination' || type === 'date'),
  };
  return patternFlags.filter((flag) => shares[flag] >= flagRules[flag].least);
}
