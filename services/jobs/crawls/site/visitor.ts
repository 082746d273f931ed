import type { Fetcher } from '../../../../shared/fetch/fetcher.js';
import { createTurns } from '../../../../shared/pacing/turns.js';
import { fetchPage, type PageAnswer } from './fetch-page.js';
import { createPace } from './pace.js';
import type { CrawlParts } from './site-crawl.js';
import { fetchRobots, type OriginRobots } from './site-robots.js';

/** Sends requests to the website, at its pace and within its robots.txt. */
export interface Visitor {
  /** Fetches robots.txt and sitemaps, at the same pace. */
  readonly fetch: Fetcher;
  /** Fetched once per origin. */
  robotsOf(origin: string): Promise<OriginRobots>;
  mayFetch(url: string): Promise<boolean>;
  /** @throws the signal's reason */
  visit(url: string): Promise<Visit>;
}

export type Visit =
  | { readonly kind: 'disallowed' }
  /** `throttledInRow`: consecutive 429 or 503 responses up to this one. */
  | {
      readonly kind: 'answered';
      readonly answer: PageAnswer;
      readonly throttledInRow: number;
      readonly at: number;
    };

/** Both statuses ask the client to come back later: 429 because of its rate, 503 because of the server's load. */
const THROTTLED = new Set([429, 503]);
const MOST_TRIES_THROTTLED = 3;
/** A reused connection may be closed just when a request is sent. */
const TRIED_AGAIN = new Set(['broken', 'refused', 'unreachable']);

export function createVisitor(fetch: Fetcher, parts: CrawlParts, signal: AbortSignal): Visitor {
  const pace = createPace(parts);
  const books = new Map<string, Promise<OriginRobots>>();
  const paced: Fetcher = async (url, options) => {
    await pace.turn(signal);
    return fetch(url, options);
  };

  async function askRobots(origin: string): Promise<OriginRobots> {
    const robots = await fetchRobots(origin, paced, signal);
    pace.ask(robots.delayMs);
    return robots;
  }

  function robotsOf(origin: string): Promise<OriginRobots> {
    const asked = books.get(origin) ?? askRobots(origin);
    books.set(origin, asked);
    return asked;
  }

  // A disallowed URL causes no wait, so checking many of them would block the event loop.
  const giveTurn = createTurns();
  async function mayFetch(url: string): Promise<boolean> {
    const robots = await robotsOf(new URL(url).origin);
    await giveTurn();
    return robots.allows(url);
  }

  async function ask(url: string): Promise<Visit> {
    for (let tries = 1; ; tries += 1) {
      await pace.turn(signal);
      const answer = await fetchPage(url, fetch, { now: parts.now, signal });
      const visit = (throttledInRow: number): Visit => ({
        kind: 'answered',
        answer,
        throttledInRow,
        at: parts.now(),
      });
      if (THROTTLED.has(answer.status)) {
        const throttledInRow = pace.throttled(answer.headers.get('retry-after'));
        if (tries >= MOST_TRIES_THROTTLED) return visit(throttledInRow);
      } else {
        if (answer.status > 0) pace.went();
        if (tries > 1 || !TRIED_AGAIN.has(answer.error)) return visit(0);
      }
    }
  }

  return {
    fetch: paced,
    robotsOf,
    mayFetch,
    visit: async (url) => ((await mayFetch(url)) ? ask(url) : { kind: 'disallowed' }),
  };
}
