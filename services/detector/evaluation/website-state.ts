import type { Alert, AlertFamily } from '../../../shared/alerts/alert.js';
import { alertFamilies } from '../../../shared/alerts/alert.js';
import { newSpread, type Spread } from '../arrivals/spread.js';
import { newBaseline } from '../baselines/baseline.js';
import type { Baseline } from '../baselines/state.js';
import type { Remainder } from '../counts/remainder.js';
import { type FoundHistory, newFoundHistory } from '../findings/found.js';
import type { OpenAlerts } from '../findings/merge.js';
import { type Gauge, newGauge } from '../gauges/gauge.js';
import type { BaselineMetric } from '../gauges/judge-interval.js';
import type { Absences } from '../memory/absences.js';
import { type CrawlerRecord, type Memory, newMemory } from '../memory/memory.js';
import { type Lately, newLately, type Outcome } from './lately.js';

/**
 * The detector's state of a website. Its size is bounded for any requests. It is saved as a text that only
 * this file reads.
 */
export interface WebsiteState {
  readonly websiteId: string;
  /** Start of the first interval with logs, milliseconds since the epoch; 0: none yet. */
  firstLogAt: number;
  /** End of the last minute with logs; if no minute is known, end of its interval. */
  lastLogAt: number;
  /** Start of the next interval. All intervals before it are evaluated. */
  nextStart: number;
  readonly baselines: Record<BaselineMetric, Baseline>;
  /** Metrics that are levels instead of counts, in addition to their baselines. */
  readonly gauges: { readonly latency: Gauge };
  /** `Circumstances.takenChangedAt` at which learning last started. */
  takenChangedAt: number;
  readonly memory: Memory;
  /** Times from one minute with requests to the next. */
  readonly steps: Spread;
  readonly silence: Silence;
  /** The last hour, oldest interval first. */
  readonly recent: RecentInterval[];
  /** The hours before `recent`. */
  readonly lately: Lately;
  /** The windows that are not complete yet. */
  readonly windows: Record<AlertFamily, OpenWindow | null>;
  readonly found: FoundHistory;
  readonly open: OpenAlerts;
}

/** The current time without any log, and the usual lengths of such times. */
export interface Silence {
  intervals: number;
  /** Requests that were expected during the silence. */
  expected: number;
  readonly lengths: Absences;
}

export interface RecentInterval extends Outcome {
  /** The score of its latency (gauges/gauge.ts). */
  readonly novelty: number;
  readonly isDelivered: boolean;
  readonly remainder: Remainder;
  /** Whether a finding changes the traffic of this interval, so that it does not predict later hours. */
  isDisturbed: boolean;
}

export interface OpenWindow {
  readonly start: number;
  readonly remainder: Remainder;
  readonly isDelivered: boolean;
}

const VERSION = 1;

export function newWebsiteState(websiteId: string): WebsiteState {
  return {
    websiteId,
    firstLogAt: 0,
    lastLogAt: 0,
    nextStart: 0,
    takenChangedAt: 0,
    baselines: {
      traffic: newBaseline('count'),
      errors: newBaseline('count'),
      bots: newBaseline('count'),
      crawlers: newBaseline('count'),
      not_found: newBaseline('count'),
      latency: newBaseline('mean'),
      people: newBaseline('count'),
    },
    gauges: { latency: newGauge() },
    memory: newMemory(),
    steps: newSpread(),
    silence: { intervals: 0, expected: 0, lengths: [] },
    recent: [],
    lately: newLately(),
    windows: noWindows(),
    found: newFoundHistory(),
    open: new Map(),
  };
}

/**
 * Restarts learning with the next interval that has logs: before it, the website accepted other requests.
 * Known bots and crawlers, their usual results and their alerts stay. Mutates.
 */
export function restartLearning(state: WebsiteState, takenChangedAt: number): void {
  const { baselines, gauges, recent, lately, silence, windows, firstLogAt, memory } = newWebsiteState(
    state.websiteId,
  );
  const { people, website } = memory;
  Object.assign(state.memory, { people, website });
  Object.assign(state, { baselines, gauges, recent, lately, silence, windows, firstLogAt, takenChangedAt });
}

export function noWindows(): Record<AlertFamily, OpenWindow | null> {
  return Object.fromEntries(alertFamilies.map((family) => [family, null])) as Record<AlertFamily, null>;
}

/**
 * Clients choose names and subjects. Maps are stored as lists of pairs, so that no such text becomes a
 * property.
 */
export function encodeState(state: WebsiteState): string {
  const { memory, found, open, ...plain } = state;
  return JSON.stringify({
    version: VERSION,
    ...plain,
    memory: {
      bots: [...memory.bots],
      crawlers: [...memory.crawlers],
      unwelcome: [...memory.unwelcome],
      website: memory.website,
      people: memory.people,
    },
    found: {
      ends: [...found.ends],
      lastFound: [...found.lastFound],
      lastPersisted: [...found.lastPersisted],
    },
    open: [...open],
  });
}

/** @throws Error if the text is not a state of this version */
export function decodeState(text: string): WebsiteState {
  const { version, memory, found, open, ...plain } = JSON.parse(text);
  if (version !== VERSION) throw new Error(`A detector's state of version ${version} cannot be read`);
  return {
    ...plain,
    memory: {
      ...memory,
      bots: new Map(memory.bots),
      crawlers: new Map<string, CrawlerRecord>(memory.crawlers),
      unwelcome: new Map(memory.unwelcome),
    },
    found: {
      ends: new Map<string, number[]>(found.ends),
      lastFound: new Map<string, number>(found.lastFound),
      lastPersisted: new Map<string, number>(found.lastPersisted),
    },
    open: new Map<string, Alert>(open),
  };
}
