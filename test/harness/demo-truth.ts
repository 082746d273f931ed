import type { DemoActor, DemoRequest } from '../../deploy/demo/traffic/demo-request.js';
import { HOUR_MS } from '../../shared/durations.js';
import { normalPath } from '../../shared/urls/normal-spelling.js';

/** Counts over the generated requests, independent of the program under test. */
export interface Truth {
  requests: number;
  bytesSent: number;
  timeTakenMs: number;
  byStatus: Map<number, number>;
  /** By path without its query. */
  byPath: Map<string, number>;
  byMethod: Map<string, number>;
  byUserAgent: Map<string, number>;
  byClientIp: Map<string, number>;
  /** By host of the referrer as sent, lower case; '' for none. */
  byReferrerHost: Map<string, number>;
  byCountry: Map<string, number>;
  /** By start of the UTC hour, milliseconds since the epoch. */
  byHour: Map<number, number>;
  /** Known to the generator, but not in any log line. */
  byActor: Map<DemoActor, number>;
  /** By claimed crawler; impostors count under the claimed name. */
  byBot: Map<string, number>;
}

export function countTruth(requests: Iterable<DemoRequest>): Truth {
  const truth = emptyTruth();
  for (const request of requests) addToTruth(truth, request);
  return truth;
}

export function emptyTruth(): Truth {
  return {
    requests: 0,
    bytesSent: 0,
    timeTakenMs: 0,
    byStatus: new Map(),
    byPath: new Map(),
    byMethod: new Map(),
    byUserAgent: new Map(),
    byClientIp: new Map(),
    byReferrerHost: new Map(),
    byCountry: new Map(),
    byHour: new Map(),
    byActor: new Map(),
    byBot: new Map(),
  };
}

/** Adds one request to `truth`, for streams that are too long for memory. */
export function addToTruth(truth: Truth, request: DemoRequest): void {
  truth.requests += 1;
  truth.bytesSent += request.bytes_sent;
  truth.timeTakenMs += request.time_taken_ms;
  increment(truth.byStatus, request.status);
  increment(truth.byPath, pathOf(request));
  increment(truth.byMethod, request.method);
  increment(truth.byUserAgent, request.user_agent);
  increment(truth.byClientIp, request.client_ip);
  increment(truth.byReferrerHost, request.referrer === '' ? '' : new URL(request.referrer).hostname);
  increment(truth.byCountry, request.source_country);
  increment(truth.byHour, Math.floor(request.timestamp / HOUR_MS) * HOUR_MS);
  increment(truth.byActor, request.actor);
  if (request.bot !== '') increment(truth.byBot, request.bot);
}

/** Requests whose user agent contains this text, case-insensitively. */
export function countUserAgents(truth: Truth, token: string): number {
  const wanted = token.toLowerCase();
  let count = 0;
  for (const [userAgent, requests] of truth.byUserAgent) {
    if (userAgent.toLowerCase().includes(wanted)) count += requests;
  }
  return count;
}

function pathOf(request: Pick<DemoRequest, 'target'>): string {
  const query = request.target.indexOf('?');
  return normalPath(query === -1 ? request.target : request.target.slice(0, query));
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
