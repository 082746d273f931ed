import type { Fetcher } from '../../../shared/fetch/fetcher.js';
import { createTurns } from '../../../shared/pacing/turns.js';
import { fetchPage, type PageAnswer } from './fetch-page.js';
import { createPace } from './pace.js';
import type { CrawlParts } from './site-crawl.js';
import { fetchRobots, type OriginRobots } from './site-robots.js';

/** Asks the website, at its pace and within its robots.txt. */
export interface Visitor {
  /** What is no page: robots.txt and sitemaps, at the same pace. */
  readonly fetch: Fetcher;
  /** Asked for once. */
  robotsOf(origin: string): Promise<OriginRobots>;
  mayFetch(url: string): Promise<boolean>;
  /** @throws what the signal was aborted with */
  visit(url: string): Promise<Visit>;
}

export type Visit =
  | { readonly kind: 'disallowed' }
  /** `heldInRow`: answers with 429 or 503 without another between them, up to this one. */
  | {
      readonly kind: 'answered';
      readonly answer: PageAnswer;
      readonly heldInRow: number;
      readonly at: number;
    };

/** 429 is for everybody who asks too often, 503 for who asks at a bad time: both ask to come again. */
const HELD_UP = new Set([429, 503]);
const MOST_TRIES_HELD_UP = 3;
/** A connection that was kept may be closed just when it is used again. */
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

  // A URL that is not fetched waits for nothing: judging many of them would hold the event loop.
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
      const visit = (heldInRow: number): Visit => ({ kind: 'answered', answer, heldInRow, at: parts.now() });
      if (HELD_UP.has(answer.status)) {
        const heldInRow = pace.heldUp(answer.headers.get('retry-after'));
        if (tries >= MOST_TRIES_HELD_UP) return visit(heldInRow);
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
