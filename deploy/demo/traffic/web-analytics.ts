import type { RecordedAnalytics } from '../../../shared/control/admin/recorded-analytics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { createSenders } from '../../../shared/web-analytics/session-senders.js';
import type { DemoRequest } from './demo-request.js';
import { type DemoOptions, demoWindow } from './demo-traffic.js';
import { type AnalyticsTally, createTally } from './web-analytics-tally.js';

/** What a script on the shop's pages would have counted of the same people whose requests are logged. */

/** In percent: who neither blocks the script nor refuses consent. */
const MEASURED_PCT = 87;
const IDLE_MS = 30 * MINUTE_MS;
/** Of one view at most: who reads on has gone to make tea. */
const LONGEST_SECS = 90;
const THANKS = '/checkout/thank-you';

interface Visit {
  readonly landing: string;
  readonly source: string;
  readonly medium: string;
  readonly startedAt: number;
  readonly visitor: number;
  seenAt: number;
  last: string;
  views: number;
  secs: number;
  orders: number;
  revenue: number;
}

export interface WebAnalytics {
  /** Passes requests on, and counts those of people, in the order of time. */
  watch(requests: Iterable<DemoRequest>): Generator<DemoRequest>;
  /** The whole UTC days of what was watched, oldest first. */
  days(websiteId: string): RecordedAnalytics[];
}

/** @param senderOf who sent a session, as the sync of web analytics tells it */
export function createWebAnalytics(
  demo: DemoOptions,
  senderOf: ReturnType<typeof createSenders>,
): WebAnalytics {
  const { start, end } = demoWindow(demo);
  const tallies = new Map<string, AnalyticsTally>();
  const visits = new Map<string, Visit>();
  let sweptAt = start;

  const tallyOf = (at: number) => {
    const day = dayOf(at);
    const known = tallies.get(day);
    if (known !== undefined) return known;
    const made = createTally(senderOf);
    tallies.set(day, made);
    return made;
  };
  const endVisit = (key: string, visit: Visit) => {
    visits.delete(key);
    look(visit, 5 + (visit.visitor % 30));
    tallyOf(visit.startedAt).addSession({ ...visit, isEngaged: visit.views > 1 || visit.secs >= 10 });
  };
  const look = (visit: Visit, secs: number) => {
    visit.secs += secs;
    tallyOf(visit.seenAt).addSecs(visit.last, secs);
  };
  const sweep = (at: number) => {
    for (const [key, visit] of visits) if (visit.seenAt < at - IDLE_MS) endVisit(key, visit);
    sweptAt = at;
  };

  function count(request: DemoRequest): void {
    const key = `${request.client_ip} ${request.user_agent}`;
    const visitor = hashOf(key);
    if (visitor % 100 >= MEASURED_PCT) return;
    const { timestamp: at, target } = request;
    const path = target.split('?')[0]!;
    let visit = visits.get(key);
    if (visit !== undefined && visit.seenAt < at - IDLE_MS) {
      endVisit(key, visit);
      visit = undefined;
    }
    if (visit === undefined) {
      const sender = sentBy(request, demo.domain);
      visit = {
        ...{ landing: path, ...sender, startedAt: at, visitor, seenAt: at, last: path },
        ...{ views: 0, secs: 0, orders: 0, revenue: 0 },
      };
      visits.set(key, visit);
    } else {
      look(visit, Math.min(Math.round((at - visit.seenAt) / 1_000), LONGEST_SECS));
    }
    Object.assign(visit, { seenAt: at, last: path });
    visit.views += 1;
    tallyOf(at).addView(path, visitor);
    if (path !== THANKS) return;
    visit.orders += 1;
    visit.revenue += 35 + (visitor % 160);
  }

  return {
    *watch(requests) {
      for (const request of requests) {
        if (isView(request)) count(request);
        if (request.timestamp - sweptAt > HOUR_MS) sweep(request.timestamp);
        yield request;
      }
      sweep(Number.POSITIVE_INFINITY);
    },
    days(websiteId) {
      const whole = [...tallies.keys()]
        .filter((day) => Date.parse(day) >= start && Date.parse(day) + DAY_MS <= end)
        .sort();
      return whole.map((day, index) => ({
        // Each later than the one before, so that the last is the one that counts.
        ...{ websiteId, at: Math.floor(end) + index, from: whole[0]!, ...tallies.get(day)!.told(day) },
      }));
    },
  };
}

/** A page that a person was served. */
function isView({ actor, method, content_type, status }: DemoRequest): boolean {
  return (
    (actor === 'human' || actor === 'ai_visitor') &&
    method === 'GET' &&
    content_type === 'text/html' &&
    (status === 200 || status === 304)
  );
}

/** Source and medium, as web analytics name them. */
function sentBy({ target, referrer }: DemoRequest, domain: string): { source: string; medium: string } {
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  const named = query.get('utm_source');
  if (named !== null) return { source: named, medium: query.get('utm_medium') ?? '(not set)' };
  if (query.has('gclid')) return { source: 'google', medium: 'cpc' };
  const host = referrer === '' ? '' : new URL(referrer).hostname.replace('www.', '');
  if (host === '' || host === domain) return { source: '(direct)', medium: '(none)' };
  const engine = engines.find((one) => host.startsWith(`${one}.`) || host.startsWith(`search.${one}.`));
  return engine === undefined ? { source: host, medium: 'referral' } : { source: engine, medium: 'organic' };
}

const engines = ['google', 'duckduckgo', 'ecosia', 'qwant', 'yandex', 'yahoo', 'brave', 'bing'];

/** `2026-11-18` */
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** FNV-1a: the same visitor has the same number in every run. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
