import { createBackOff } from './back-off.js';
import { createFairQueue, type Share, shareOf } from './fair-queue.js';
import { later } from './later.js';
import { createNetworkHealth, networkOf } from './network-health.js';
import { createTokenBucket, createTokenBuckets } from './token-bucket.js';

/**
 * When which address is looked up: websites take turns, each within its share, and what fails rests outside the queue.
 * Nothing here knows DNS.
 */

/** Whose pending rows want a verdict. */
export interface Asker {
  readonly websiteId: string;
  /** The last UTC day on which they live, days since the epoch (shared/requests/last-day.ts). */
  readonly lastDay: number;
}

export interface Lookup {
  readonly key: string;
  readonly family: string;
  readonly clientIp: string;
  /** Website to the last day of its rows. */
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
  /** Look-ups under way at once. */
  readonly concurrency: number;
  /** Addresses waiting, of all websites (`shareOf`). */
  readonly queueSize: number;
  /** Rejects where there is no answer: it is tried again. */
  readonly lookUp: (lookup: Lookup) => Promise<void>;
  /** The website's claim fell off; a later request has to ask again. */
  readonly onForgotten: (lookup: Lookup, asker: Asker) => void;
}

export interface LookupSchedule {
  /** False where the claim is turned away: the website's share is used up, or the address's network fails. */
  ask(question: Pick<Lookup, 'key' | 'family' | 'clientIp'>, asker: Asker): boolean;
  sizes(): { readonly waiting: number; readonly resting: number; readonly running: number };
  /** Starts no further look-up. */
  stop(): void;
}

/** Rests after the first failure, the second, …; after one more a look-up is dropped. */
const restsMs = [5_000, 20_000, 80_000, 320_000, 600_000];

/** A website's part of the look-ups, whether others ask or not: it bounds the verdicts that are written for it too. */
const WEBSITE_SHARE = 1 / 20;
/** Its part of so many seconds may be used at once: to a website that begins, every address is new. */
const SAVED_SECONDS = 600;
/** Its part of the look-ups under way, for those that end only by their time-out. */
const WEBSITE_CONCURRENCY = 1 / 8;
const MOST_WAITING_PER_WEBSITE = 500;
const restingShare: Share = { total: 5_000, mostPerWebsite: 200 };

export function createLookupSchedule(options: LookupScheduleOptions): LookupSchedule {
  const { now, concurrency, lookupsPerSecond, lookUp, onForgotten } = options;
  /** Waiting, resting and running ones. */
  const open = new Map<string, OpenLookup>();
  const queue = createFairQueue<OpenLookup>({
    total: options.queueSize,
    mostPerWebsite: MOST_WAITING_PER_WEBSITE,
    isLive: ({ state }) => state === 'waiting',
  });
  const resting = createBackOff<{ lookup: OpenLookup; owner: string }>({ restsMs, now, onDue: takeUpAgain });
  const restingOf = createCounter();
  const runningOf = createCounter();
  const health = createNetworkHealth(now);
  const pace = createTokenBucket({ perSecond: lookupsPerSecond, burst: lookupsPerSecond, now });
  const perWebsite = lookupsPerSecond * WEBSITE_SHARE;
  const takeShare = createTokenBuckets({ perSecond: perWebsite, burst: perWebsite * SAVED_SECONDS, now });
  const mostRunningPerWebsite = Math.max(1, Math.floor(concurrency * WEBSITE_CONCURRENCY));
  let wake: NodeJS.Timeout | undefined;
  let stopped = false;

  function startNext(): void {
    while (!stopped && runningOf.total() < concurrency && queue.size() > 0) {
      const delay = pace.wait();
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
        rest(next.item, next.websiteId);
      } else {
        pace.take();
        void run(next.item, next.websiteId);
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

  /** @param owner the website whose turn it was. */
  function rest(lookup: OpenLookup, owner: string): void {
    const share = shareOf(restingShare, restingOf.keys() + 1);
    if (stopped || lookup.failures >= restsMs.length || restingOf.of(owner) >= share) {
      close(lookup);
      for (const [websiteId, lastDay] of lookup.askers) onForgotten(lookup, { websiteId, lastDay });
      return;
    }
    lookup.state = 'resting';
    restingOf.add(owner, 1);
    resting.add({ lookup, owner }, lookup.failures);
    lookup.failures += 1;
  }

  function takeUpAgain({ lookup, owner }: { lookup: OpenLookup; owner: string }): void {
    restingOf.add(owner, -1);
    for (const [websiteId, lastDay] of lookup.askers) {
      if (queue.hasRoom(websiteId) && takeShare(websiteId)) {
        queue.add(websiteId, lookup);
      } else {
        lookup.askers.delete(websiteId);
        onForgotten(lookup, { websiteId, lastDay });
      }
    }
    if (lookup.askers.size === 0) close(lookup);
    else lookup.state = 'waiting';
    startNext();
  }

  function close(lookup: OpenLookup): void {
    lookup.state = 'over';
    open.delete(lookup.key);
  }

  function begin(question: Pick<Lookup, 'key' | 'family' | 'clientIp'>): OpenLookup {
    const network = networkOf(question.clientIp);
    return { ...question, network, askers: new Map(), state: 'waiting', failures: 0 };
  }

  return {
    ask(question, { websiteId, lastDay }) {
      if (stopped) return false;
      const lookup = open.get(question.key) ?? begin(question);
      const before = lookup.askers.get(websiteId);
      if (before === undefined) {
        if (health.isFailing(lookup.network)) return false;
        if (!queue.hasRoom(websiteId) || !takeShare(websiteId)) return false;
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

function createCounter() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    of: (key: string) => counts.get(key) ?? 0,
    add(key: string, change: 1 | -1) {
      const count = (counts.get(key) ?? 0) + change;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
      total += change;
    },
    keys: () => counts.size,
    total: () => total,
  };
}
