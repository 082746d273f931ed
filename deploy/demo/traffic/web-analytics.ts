import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { createSenders } from '../../../shared/reads/analytics/session-senders.js';
import type { RecordedAnalytics } from '../../admin/server/recorded-analytics.js';
import type { DemoRequest } from './demo-request.js';
import { type DemoOptions, demoWindow } from './demo-traffic.js';
import { createTally } from './web-analytics-tally.js';

/** Simulates a script on the shop's pages that counts the people whose requests are logged. */

/** Percentage of visitors who neither block the script nor refuse consent. */
const MEASURED_PCT = 87;
const IDLE_MS = 30 * MINUTE_MS;
/** Longest engagement time of one view. */
const LONGEST_SECS = 90;

interface Visit {
  readonly landing: string;
  readonly sender: { readonly source: string; readonly medium: string };
  readonly startedAt: number;
  readonly visitor: number;
  seenAt: number;
  last: string;
  views: number;
  secs: number;
  orders: number;
}

export interface WebAnalytics {
  /** Yields all requests and counts those of people. @param requests in the order of time */
  watch(requests: Iterable<DemoRequest>): Generator<DemoRequest>;
  /** The whole UTC days of the watched requests, oldest first. */
  days(websiteId: string): RecordedAnalytics[];
}

/** @param senderOf returns the source of a session, as the sync of web analytics classifies it */
export function createWebAnalytics(
  demo: DemoOptions,
  senderOf: ReturnType<typeof createSenders>,
): WebAnalytics {
  const { start, end } = demoWindow(demo);
  const tallies = new Map<string, ReturnType<typeof createTally>>();
  const visits = new Map<string, Visit>();
  let sweptAt = start;

  const tallyOf = (at: number) => {
    const day = new Date(at).toISOString().slice(0, 10);
    const tally = tallies.get(day) ?? createTally(day, senderOf);
    tallies.set(day, tally);
    return tally;
  };
  const addSecs = (visit: Visit, secs: number) => {
    visit.secs += secs;
    tallyOf(visit.seenAt).pageOf(visit.last).engagementSecs += secs;
  };
  const endIdle = (at: number) => {
    for (const [key, visit] of visits) {
      if (visit.seenAt >= at - IDLE_MS) continue;
      visits.delete(key);
      addSecs(visit, 5 + (visit.visitor % 30));
      tallyOf(visit.startedAt).addSession(visit.landing, visit.sender, {
        sessions: 1,
        engagedSessions: visit.views > 1 || visit.secs >= 10 ? 1 : 0,
        keyEvents: visit.orders,
        revenue: visit.orders * (35 + (visit.visitor % 160)),
      });
    }
    sweptAt = at;
  };

  function count(request: DemoRequest): void {
    const key = `${request.client_ip} ${request.user_agent}`;
    const visitor = hashOf(key);
    if (visitor % 100 >= MEASURED_PCT) return;
    const { timestamp: at, target } = request;
    const path = target.split('?')[0]!;
    let visit = visits.get(key);
    if (visit === undefined) {
      visit = {
        ...{ landing: path, sender: sentBy(request, demo.domain), startedAt: at, visitor },
        ...{ seenAt: at, last: path, views: 0, secs: 0, orders: 0 },
      };
      visits.set(key, visit);
    } else addSecs(visit, Math.min(Math.round((at - visit.seenAt) / 1_000), LONGEST_SECS));
    visit.seenAt = at;
    visit.last = path;
    visit.views += 1;
    if (path === '/checkout/thank-you') visit.orders += 1;
    tallyOf(at).addView(path, visitor);
  }

  return {
    *watch(requests) {
      for (const request of requests) {
        if (request.timestamp - sweptAt > MINUTE_MS) endIdle(request.timestamp);
        if (isView(request)) count(request);
        yield request;
      }
      endIdle(Number.POSITIVE_INFINITY);
    },
    days(websiteId) {
      const whole = [...tallies.keys()]
        .filter((day) => Date.parse(day) >= start && Date.parse(day) + DAY_MS <= end)
        .sort();
      // Each recording is later than the one before, since the latest recording of a day counts.
      return whole.map((day, index) => ({
        ...{ websiteId, at: Math.floor(end) + index, from: whole[0]!, ...tallies.get(day)!.counted() },
      }));
    },
  };
}

/** A page view of a person. */
function isView({ actor, method, content_type, status }: DemoRequest): boolean {
  return (
    (actor === 'human' || actor === 'ai_visitor') &&
    method === 'GET' &&
    content_type === 'text/html' &&
    (status === 200 || status === 304)
  );
}

const engines = /^(?:search\.)?(google|duckduckgo|ecosia|yahoo|brave|bing)\./;

/** Source and medium, as web analytics name them. */
function sentBy({ target, referrer }: DemoRequest, domain: string): Visit['sender'] {
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  const source = query.get('utm_source');
  if (source !== null) return { source, medium: query.get('utm_medium') ?? '(not set)' };
  if (query.has('gclid')) return { source: 'google', medium: 'cpc' };
  const host = referrer === '' ? '' : new URL(referrer).hostname.replace('www.', '');
  if (host === '' || host === domain) return { source: '(direct)', medium: '(none)' };
  const engine = engines.exec(host)?.[1];
  return engine === undefined ? { source: host, medium: 'referral' } : { source: engine, medium: 'organic' };
}

/** FNV-1a, so a visitor has the same number in every run. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
