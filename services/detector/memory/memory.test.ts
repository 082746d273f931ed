import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { botOf, countsOf } from '../../../test/harness/detector/counts.js';
import type { Remainder } from '../counts/remainder.js';
import type { BotCounts } from '../counts/span-counts.js';
import {
  crawlerMemory,
  type Memory,
  newMemory,
  remember,
  rememberShares,
  shares,
  usualOfCrawler,
  usualRate,
} from './memory.js';

const START = Date.UTC(2026, 9, 5);
const STEP = 5 * MINUTE_MS;
const google = (given: Partial<BotCounts> = {}) =>
  botOf({ name: 'Googlebot', family: 'Google', verification: 'verified', requests: 10, ...given });
const see = (memory: Memory, at: number, ...byBot: BotCounts[]) =>
  remember(memory, at, countsOf({ start: at, requests: 100, byBot }), true);

describe('bots', () => {
  it('are remembered from their first request on, including hostile names', () => {
    const memory = newMemory();
    for (const name of ['__proto__', 'constructor', 'Newbot']) {
      see(memory, START, botOf({ name, requests: 2 }));
      see(memory, START + STEP, botOf({ name, requests: 3 }));
      expect(memory.bots.get(name)).toEqual({ firstSeen: START, lastSeen: START + STEP, requests: 5 });
    }
  });

  it('are new again after three months', () => {
    const memory = newMemory();
    see(memory, START, botOf({ name: 'Newbot' }));
    see(memory, START + 91 * DAY_MS, botOf({ name: 'Newbot' }));
    expect(memory.bots.get('Newbot')?.firstSeen).toBe(START + 91 * DAY_MS);
  });

  it('stay if a client invents thousands of names', () => {
    const memory = newMemory();
    see(memory, START, botOf({ name: 'Oldbot', requests: 500 }));
    for (let index = 0; index < 5_000; index++)
      see(memory, START + index, botOf({ name: `made up ${index}` }));
    expect(memory.bots.size).toBeLessThanOrEqual(2_000);
    expect(memory.bots.get('Oldbot')?.firstSeen).toBe(START);
  });
});

describe('crawlers', () => {
  /** Visits every 20 minutes, for some days. */
  function visited(days: number): Memory {
    const memory = newMemory();
    for (let at = START; at < START + days * DAY_MS; at += STEP) {
      if (at % (20 * MINUTE_MS) === 0) see(memory, at, google());
      else see(memory, at);
    }
    return memory;
  }

  it('have their true absences, and the time since their last visit', () => {
    const memory = visited(6);
    expect(crawlerMemory(memory, 'Google')).toMatchObject({
      usualAwayMs: 20 * MINUTE_MS,
      awayMs: 15 * MINUTE_MS,
    });
    for (let at = START + 6 * DAY_MS; at < START + 6 * DAY_MS + HOUR_MS; at += STEP) see(memory, at);
    expect(crawlerMemory(memory, 'Google')?.awayMs).toBe(75 * MINUTE_MS);
  });

  it('are not absent while no logs arrive', () => {
    const memory = visited(6);
    remember(memory, START + 6 * DAY_MS, countsOf({}), false);
    expect(crawlerMemory(memory, 'Google')?.awayMs).toBe(15 * MINUTE_MS);
  });

  it('have no usual absence from one incident, nor in their first days', () => {
    const memory = visited(6);
    for (let at = START + 6 * DAY_MS; at < START + 7 * DAY_MS; at += STEP) see(memory, at);
    see(memory, START + 7 * DAY_MS, google());
    expect(crawlerMemory(memory, 'Google')?.usualAwayMs).toBe(20 * MINUTE_MS);
    expect(crawlerMemory(visited(3), 'Google')?.usualAwayMs).toBeUndefined();
  });

  it('have nearly the same usual absence after two incidents, so that the third is detected', () => {
    const memory = visited(6);
    for (const day of [6, 8]) {
      for (let at = 0; at < DAY_MS; at += STEP) see(memory, START + day * DAY_MS + at);
      for (let at = 0; at < DAY_MS; at += 4 * STEP) see(memory, START + (day + 1) * DAY_MS + at, google());
    }
    expect(crawlerMemory(memory, 'Google')?.usualAwayMs).toBe(HOUR_MS);
  });

  it('have usual shares, which an hour of refusals hardly changes', () => {
    const memory = visited(6);
    const before = usualOfCrawler(memory, 'Google', 'Googlebot')!.rejectedShare;
    for (let at = 0; at < HOUR_MS; at += STEP) see(memory, START + 6 * DAY_MS + at, google({ rejected: 10 }));
    const after = usualOfCrawler(memory, 'Google', 'Googlebot')!.rejectedShare;
    expect(after).toBeGreaterThan(before);
    expect(after).toBeLessThan(0.02);
  });

  it('have a high usual share of refusals if they were always refused', () => {
    const memory = newMemory();
    for (let at = START; at < START + 2 * DAY_MS; at += STEP) see(memory, at, google({ rejected: 10 }));
    expect(usualOfCrawler(memory, 'Google', 'Googlebot')!.rejectedShare).toBeGreaterThan(0.5);
  });

  it('have their own usual shares, apart from other crawlers of their operator', () => {
    const memory = newMemory();
    const image = google({ name: 'Googlebot-Image', rejected: 10 });
    for (let at = START; at < START + 2 * DAY_MS; at += STEP) see(memory, at, google(), image);
    expect(usualOfCrawler(memory, 'Google', 'Googlebot')!.rejectedShare).toBeLessThan(0.01);
    expect(usualOfCrawler(memory, 'Google', 'Googlebot-Image')).toMatchObject({
      firstSeen: START,
      requests: 5_760,
      rejectedShare: expect.closeTo(0.97, 1),
    });
    expect(usualOfCrawler(memory, 'Google', 'AdsBot')).toBeUndefined();
  });

  it.each(['spoofed', 'unverifiable', 'pending'])(
    'are not learned from a claim that is %s',
    (verification) => {
      const memory = newMemory();
      see(memory, START, google({ verification }));
      expect(crawlerMemory(memory, 'Google')).toBeUndefined();
    },
  );

  it('are absent while strangers use their name', () => {
    const memory = visited(6);
    for (let at = START + 6 * DAY_MS; at < START + 6 * DAY_MS + HOUR_MS; at += STEP)
      see(memory, at, google({ verification: 'unverifiable', category: 'search', name: 'Google made up' }));
    expect(crawlerMemory(memory, 'Google')).toMatchObject({ awayMs: 75 * MINUTE_MS, names: ['Googlebot'] });
  });

  it('do not count as absent while their claims are being verified, and such gaps are not learned', () => {
    const memory = visited(6);
    const absences = () => crawlerMemory(memory, 'Google')?.usualAwayMs;
    for (let day = 6; day < 12; day++) {
      for (let at = 0; at < DAY_MS; at += STEP) {
        const isKnown = at % (4 * HOUR_MS) === 0;
        see(memory, START + day * DAY_MS + at, google({ verification: isKnown ? 'verified' : 'pending' }));
      }
      expect(crawlerMemory(memory, 'Google')!.awayMs).toBeLessThan(20 * MINUTE_MS);
    }
    expect(absences()).toBe(20 * MINUTE_MS);
  });
});

it('usual rates of impostors are per five minutes, from the first day on', () => {
  const memory = newMemory();
  for (let at = START; at < START + 2 * DAY_MS; at += STEP) {
    see(memory, at, google({ verification: 'spoofed', requests: 3 }));
  }
  expect(usualRate(memory, 'spoofed', 'Googlebot', START, START + 2 * DAY_MS)).toBeCloseTo(3, 1);
  expect(usualRate(memory, 'spoofed', 'bingbot', START, START + 2 * DAY_MS)).toBe(0);
});

it('an outage of an hour hardly changes the usual share of errors', () => {
  const memory = newMemory();
  const requests = (at: number, status5xx: number) =>
    rememberShares(memory, at, remainderWith({ errors: status5xx, status5xx }));
  for (let at = START; at < START + 7 * DAY_MS; at += STEP) requests(at, 2);
  expect(shares(memory.website).status5xx).toBeCloseTo(0.002, 4);
  for (let at = 0; at < HOUR_MS; at += STEP) requests(START + 7 * DAY_MS + at, 900);
  expect(shares(memory.website).status5xx).toBeLessThan(0.005);
});

it('failures of people have their own usual shares', () => {
  const memory = newMemory();
  const ofPeople = { errors: 5, notFound: 4, status5xx: 1 };
  for (let at = START; at < START + 7 * DAY_MS; at += STEP) {
    rememberShares(memory, at, remainderWith({ people: 100, errors: 9, notFound: 9, ofPeople }));
  }
  expect(shares(memory.people).errors).toBeCloseTo(0.05, 3);
  expect(shares(memory.website).errors).toBeCloseTo(0.009, 3);
});

function remainderWith(some: Partial<Remainder>): Remainder {
  const none = { errors: 0, notFound: 0, status5xx: 0 };
  const failing = { requests: 0, people: 0 };
  return { requests: 1_000, people: 900, ...none, failing, ofPeople: none, ...some };
}
