import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';

/** The reads of the bench, by path only, so that their implementation may change. */
export const benchedReads = [
  'summary',
  'traffic',
  'bots',
  'bots/access',
  'paths',
  'hosts',
  'ips',
  'devices',
  'geography',
  'referrers',
  'status-codes',
  'llms',
  'seo',
  'seo/path-explorer',
  'seo/url-patterns',
  'seo/status-consistency',
  'seo/robots',
  'seo/sitemap',
  'ai-funnel',
  'ai-landing',
  'url?path=/',
  'recommendations',
  'live',
  'requests',
  'setup',
  'segments-breakdown',
] as const;

/** The reads of a dashboard, which are measured together. */
export const mixedReads = [
  'summary',
  'traffic',
  'bots',
  'paths',
  'status-codes',
  'geography',
  'referrers',
  'devices',
  'ips',
] as const;

/** Reads without a window, or with a fixed one. */
const withoutWindow: ReadonlySet<string> = new Set(['live', 'setup', 'seo/sitemap']);

export const takesWindow = (read: string): boolean => !withoutWindow.has(read);

/**
 * `cold`: a window that nobody read before. `rolling`: the window that ends now, of alternating websites. `warm`: one call repeatedly.
 */
export type Mode = 'cold' | 'rolling' | 'warm';

/** A call of one website. */
export interface Call {
  /** Index of the website. */
  readonly website: number;
  /** Below the website's address. */
  readonly path: string;
}

export interface Calls {
  /** The calls of a run, one after another. */
  of(mode: Mode, read: string, hours: number): () => Call;
}

/** Days of traffic in the table: the longest window and the one before it fit in. */
export const DAYS = 15;

/** @param now milliseconds since the epoch: the end of the traffic */
export function createCalls(websites: number, now: number): Calls {
  let cold = 0;
  let rolling = 0;
  let warm = 0;
  return {
    of(mode, read, hours) {
      const rollingPath = withQuery(read, `hours=${hours}`);
      if (mode === 'warm') {
        const website = warm++ % websites;
        return () => ({ website, path: rollingPath });
      }
      if (mode === 'rolling') return () => ({ website: rolling++ % websites, path: rollingPath });
      return () => {
        const turn = cold++;
        const window = coldWindow(Math.floor(turn / websites), hours, now);
        return { website: turn % websites, path: withQuery(read, window) };
      };
    },
  };
}

function withQuery(read: string, query: string): string {
  if (!takesWindow(read)) return `/${read}`;
  return `/${read}${read.includes('?') ? '&' : '?'}${query}`;
}

/** A cold window may be shorter than requested by this fraction. */
const SHORTER = 4;

/**
 * A window of whole hours. Its end moves back with each round until the window before it would begin before the traffic. Then the window
 * becomes an hour shorter.
 */
function coldWindow(round: number, hours: number, now: number): string {
  const ends = Math.max(1, DAYS * 24 - 2 * hours);
  const lengths = Math.max(1, Math.floor(hours / SHORTER));
  const end = Math.floor(now / HOUR_MS) * HOUR_MS - (round % ends) * HOUR_MS;
  const start = end - (hours - (Math.floor(round / ends) % lengths)) * HOUR_MS;
  return `start=${instant(start)}&end=${instant(end)}`;
}

const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;

/** Each call from the next of several sources. */
export function inRotation(sources: readonly (() => Call)[]): () => Call {
  let next = 0;
  return () => sources[next++ % sources.length]!();
}

/** The start of traffic that ends now. */
export function startOfTraffic(now: number): number {
  return now - DAYS * DAY_MS;
}
