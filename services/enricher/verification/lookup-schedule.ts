import { createCounter } from '../../../shared/pacing/counter.js';
import { createFairQueue } from '../../../shared/pacing/fair-queue.js';
import { createTokenBuckets } from '../../../shared/pacing/token-buckets.js';
import { later } from './later.js';
import { createNetworkHealth, networkOf } from './network-health.js';
import { createRestingLookups } from './resting-lookups.js';

/**
 * Schedules address lookups: websites alternate, each within its share, and failed lookups rest outside of
 * the queue. It knows nothing about DNS.
 */

/** A website whose pending rows need a verdict. */
export interface Asker {
  readonly websiteId: string;
  /** The last UTC day of their retention, days since the epoch (shared/requests/last-day.ts). */
  readonly lastDay: number;
}

export interface Lookup {
  readonly key: string;
  readonly family: string;
  readonly clientIp: string;
  /** The last day of the rows of each website. */
  readonly askers: ReadonlyMap<string, number>;
}

interface OpenLookup extends Lookup {
  readonly askers: Map<string, number>;
  readonly network: string;
  state: 'waiting' | 'running' | 'resting' | 'over';
  failures: number;
}

export interface LookupScheduleOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly lookupsPerSecond: number;
  /** Most concurrent lookups. */
  readonly concurrency: number;
  /** Most waiting addresses, over all websites (`shareOf`). */
  readonly queueSize: number;
  /** Rejects without an answer; it is then retried. */
  readonly lookUp: (lookup: Lookup) => Promise<void>;
  /** Called when a website's claim is dropped; a later request must ask again. */
  readonly onForgotten: (lookup: Lookup, asker: Asker) => void;
}

export interface LookupSchedule {
  /** False if the claim is refused: the website's share is used up, or the address's network fails. */
  ask(question: Pick<Lookup, 'key' | 'family' | 'clientIp'>, asker: Asker): boolean;
  sizes(): { readonly waiting: number; readonly resting: number; readonly running: number };
  /** Starts no further lookup. */
  stop(): void;
}

/**
 * A website's share of the lookups, even if no other website needs them. It also bounds the verdicts written
 * for it.
 */
const WEBSITE_SHARE = 1 / 20;
/** A website may use its share of this many seconds at once: for a new website every address is new. */
const SAVED_SECONDS = 600;
/** A website's share of concurrent lookups, for those that end only by timeout. */
const WEBSITE_CONCURRENCY = 1 / 8;
const MOST_WAITING_PER_WEBSITE = 500;

export function createLookupSchedule(options: LookupScheduleOptions): LookupSchedule {
  const { concurrency, lookUp, onForgotten } = options;
  /** Waiting, resting and running lookups. */
  const open = new Map<string, OpenLookup>();
  const { queue, admits, health, pace, mostRunningPerWebsite } = createParts(options);
  const resting = createRestingLookups<OpenLookup>(takeUpAgain);
  const runningOf = createCounter();
  let wake: NodeJS.Timeout | undefined;
  let stopped = false;

  function startNext(): void {
    while (!stopped && runningOf.total() < concurrency && queue.size() > 0) {
      const delay = pace.delayMs('');
      if (delay > 0) {
        wake ??= later(delay, () => {
          wake = undefined;
          startNext();
        });
        return;
      }
      const next = queue.take((websiteId) => runningOf.of(websiteId) < mostRunningPerWebsite);
      if (next === null) return;
      if (health.isFailing(next.item.network)) {
        rest(next.item, next.owner);
      } else {
        pace.take('');
        void run(next.item, next.owner);
      }
    }
  }

  async function run(lookup: OpenLookup, owner: string): Promise<void> {
    lookup.state = 'running';
    runningOf.add(owner, 1);
    try {
      await lookUp(lookup);
      health.answered(lookup.network);
      close(lookup);
    } catch {
      health.failed(lookup.network);
      rest(lookup, owner);
    } finally {
      runningOf.add(owner, -1);
      startNext();
    }
  }

  /** @param owner the website whose share the lookup used */
  function rest(lookup: OpenLookup, owner: string): void {
    lookup.state = 'resting';
    if (!stopped && resting.add(lookup, owner, lookup.failures)) lookup.failures += 1;
    else forget(lookup, [...lookup.askers.keys()]);
  }

  function takeUpAgain(lookup: OpenLookup): void {
    lookup.state = 'waiting';
    const turnedAway: string[] = [];
    for (const websiteId of lookup.askers.keys()) {
      if (admits(websiteId)) queue.add(websiteId, lookup);
      else turnedAway.push(websiteId);
    }
    forget(lookup, turnedAway);
    startNext();
  }

  function forget(lookup: OpenLookup, websiteIds: readonly string[]): void {
    for (const websiteId of websiteIds) {
      const lastDay = lookup.askers.get(websiteId) as number;
      lookup.askers.delete(websiteId);
      onForgotten(lookup, { websiteId, lastDay });
    }
    if (lookup.askers.size === 0) close(lookup);
  }

  function close(lookup: OpenLookup): void {
    lookup.state = 'over';
    open.delete(lookup.key);
  }

  return {
    ask(question, { websiteId, lastDay }) {
      if (stopped) return false;
      const lookup = open.get(question.key) ?? beginLookup(question);
      const before = lookup.askers.get(websiteId);
      if (before === undefined) {
        if (health.isFailing(lookup.network) || !admits(websiteId)) return false;
      }
      lookup.askers.set(websiteId, Math.max(before ?? lastDay, lastDay));
      open.set(lookup.key, lookup);
      if (before === undefined && lookup.state === 'waiting') {
        queue.add(websiteId, lookup);
        startNext();
      }
      return true;
    },
    sizes: () => ({ waiting: queue.size(), resting: resting.size(), running: runningOf.total() }),
    stop() {
      stopped = true;
      clearTimeout(wake);
      resting.stop();
    },
  };
}

function createParts({ now, lookupsPerSecond, concurrency, queueSize }: LookupScheduleOptions) {
  const perWebsite = lookupsPerSecond * WEBSITE_SHARE;
  const shares = createTokenBuckets({ perSecond: perWebsite, burst: perWebsite * SAVED_SECONDS, now });
  const queue = createFairQueue<OpenLookup>(
    { total: queueSize, mostOfOwner: MOST_WAITING_PER_WEBSITE },
    ({ state }) => state === 'waiting',
  );
  return {
    queue,
    /** Takes one of the website's lookups. True if it has a place in the queue and a lookup left. */
    admits: (websiteId: string) => queue.hasRoom(websiteId) && shares.take(websiteId),
    health: createNetworkHealth(now),
    pace: createTokenBuckets({ perSecond: lookupsPerSecond, burst: lookupsPerSecond, now }),
    mostRunningPerWebsite: Math.max(1, Math.floor(concurrency * WEBSITE_CONCURRENCY)),
  };
}

function beginLookup(question: Pick<Lookup, 'key' | 'family' | 'clientIp'>): OpenLookup {
  const network = networkOf(question.clientIp);
  return { ...question, network, askers: new Map(), state: 'waiting', failures: 0 };
}
