import { LRUCache } from 'lru-cache';
import type { FamilyEntry } from '../../../shared/crawlers/table-schema.js';
import { DAY_MS } from '../../../shared/durations.js';
import { within } from '../../../shared/pacing/in-time.js';
import { parseAddress } from '../../../shared/requests/address.js';
import { confirmHost, type DnsResolver, type DnsVerdict } from './confirm-host.js';
import { type Asker, createLookupSchedule, type Lookup } from './lookup-schedule.js';
import { createOwedVerdicts } from './owed-verdicts.js';

/**
 * Reverse-DNS verdicts outside of the hot path: cached, bounded, rate-limited, and shared fairly among
 * websites. All websites share answers, but each has its own share of lookups and written verdicts. Dropped
 * claims stay pending until a later request of the address.
 */

export interface StoredVerdict {
  readonly family: string;
  readonly clientIp: string;
  readonly status: DnsVerdict;
  /** Milliseconds since the epoch. */
  readonly decidedAt: number;
}

/** A verdict, and the website whose pending rows it resolves. */
export interface WebsiteVerdict extends StoredVerdict, Asker {}

export interface DnsVerifierOptions {
  readonly families: readonly FamilyEntry[];
  readonly resolver: DnsResolver;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Most lookups started per second; one lookup has two or a few more DNS queries. */
  readonly lookupsPerSecond: number;
  /** Timeout of one lookup, including all its queries. */
  readonly timeoutMs: number;
  /** Most cached verdicts, separately for spoofed addresses and for others. */
  readonly cacheSize: number;
  /** Most concurrent lookups. */
  readonly concurrency: number;
  /** Most waiting addresses, over all websites (`shareOf` in shared/pacing/fair-queue.ts). */
  readonly queueSize?: number;
  /**
   * Called for every new verdict (not for seeded ones), once for each website that waits for it. Must not
   * throw.
   */
  readonly onVerdict: (verdict: WebsiteVerdict) => void;
}

export interface DnsVerifier {
  /** Returns at once; an unknown address is queued for a lookup and 'pending' until then. */
  verdictOf(family: string, clientIp: string, asker: Asker): DnsVerdict | 'pending';
  /** Fills the cache with earlier verdicts, except expired ones. */
  seed(verdicts: Iterable<StoredVerdict>): void;
  /** Lookups that are waiting, resting after a failure, or running, and cached verdicts. */
  sizes(): {
    readonly waiting: number;
    readonly resting: number;
    readonly running: number;
    readonly verdicts: number;
  };
  /** Whether the resolver answers. */
  health(): DnsHealth;
  /** Starts no further lookup. Running ones end without effect. */
  stop(): void;
}

/**
 * `failing`: the last lookups had no answer; `unused`: none was made yet. Times are ISO 8601, null for never.
 */
export interface DnsHealth {
  readonly state: 'working' | 'failing' | 'unused';
  readonly last_answer: string | null;
  readonly failing_since: string | null;
}

/**
 * A single network's name servers may fail. After this many consecutive failures the resolver counts as
 * failing.
 */
const FAILURES_OF_RESOLVER = 5;

/** A verifier for the families with host patterns. Its timers do not keep the process alive. */
export function createDnsVerifier(options: DnsVerifierOptions): DnsVerifier {
  const { resolver, now, onVerdict, queueSize = 10_000 } = options;
  const families = new Map(options.families.map((family) => [family.name, family]));
  const verdicts = createVerdictCache(options.cacheSize, now);
  const owed = createOwedVerdicts();
  const schedule = createLookupSchedule({
    ...options,
    queueSize,
    lookUp,
    onForgotten: ({ key }, { websiteId, lastDay }) => owed.add(websiteId, key, lastDay),
  });
  let stopped = false;

  const health = createDnsHealth(now);

  async function lookUp({ key, family, clientIp, askers }: Lookup): Promise<void> {
    const entry = families.get(family) as FamilyEntry;
    const status = await within(
      confirmHost(resolver, entry, clientIp),
      options.timeoutMs,
      () => new Error(`no answer within ${options.timeoutMs} ms`),
    ).catch((error: unknown) => {
      health.failed();
      throw error;
    });
    health.answered();
    if (stopped) return;
    const verdict = { family, clientIp, status, decidedAt: now() };
    verdicts.set(key, verdict);
    for (const [websiteId, lastDay] of askers) onVerdict({ ...verdict, websiteId, lastDay });
  }

  return {
    verdictOf(family, clientIp, { websiteId, lastDay }) {
      const key = `${family} ${clientIp}`;
      const known = verdicts.get(key);
      const owedUntil = owed.settle(websiteId, key);
      const asker = { websiteId, lastDay: Math.max(lastDay, owedUntil ?? lastDay) };
      if (known !== undefined) {
        if (owedUntil !== null && !stopped) onVerdict({ ...known, ...asker });
        return known.status;
      }
      if (families.get(family)?.hosts === undefined) return 'unverifiable';
      if (parseAddress(clientIp) === null) return 'spoofed';
      if (!schedule.ask({ key, family, clientIp }, asker)) owed.add(websiteId, key, asker.lastDay);
      return 'pending';
    },
    seed(stored) {
      for (const { family, clientIp, status, decidedAt } of stored) {
        verdicts.set(`${family} ${clientIp}`, { family, clientIp, status, decidedAt });
      }
    },
    sizes: () => ({ ...schedule.sizes(), verdicts: verdicts.size() }),
    health: health.read,
    stop() {
      stopped = true;
      schedule.stop();
    },
  };
}

function createDnsHealth(now: () => number) {
  let lastAnswer: number | null = null;
  let failingSince: number | null = null;
  let failures = 0;
  const text = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    answered(): void {
      lastAnswer = now();
      failingSince = null;
      failures = 0;
    },
    failed(): void {
      failures += 1;
      failingSince ??= now();
    },
    read(): DnsHealth {
      const isFailing = failures >= FAILURES_OF_RESOLVER;
      return {
        state: isFailing ? 'failing' : lastAnswer === null ? 'unused' : 'working',
        last_answer: text(lastAnswer),
        failing_since: isFailing ? text(failingSince) : null,
      };
    },
  };
}

/**
 * Crawlers keep their addresses for months. A wrong 'spoofed', as from a late PTR record, must expire soon.
 */
const lifetimeMs: Record<DnsVerdict, number> = {
  verified: 7 * DAY_MS,
  unverifiable: 7 * DAY_MS,
  spoofed: DAY_MS,
};

/**
 * Spoofed addresses have their own cache: clients can invent millions of them, which must not evict crawlers.
 */
function createVerdictCache(max: number, now: () => number) {
  const spoofed = new LRUCache<string, StoredVerdict>({ max });
  const others = new LRUCache<string, StoredVerdict>({ max });
  const isFresh = ({ status, decidedAt }: StoredVerdict) => decidedAt + lifetimeMs[status] > now();
  return {
    get(key: string): StoredVerdict | undefined {
      const verdict = others.get(key) ?? spoofed.get(key);
      return verdict !== undefined && isFresh(verdict) ? verdict : undefined;
    },
    set(key: string, verdict: StoredVerdict): void {
      if (!isFresh(verdict)) return;
      const before = others.get(key) ?? spoofed.get(key);
      if (before !== undefined && before.decidedAt > verdict.decidedAt) return;
      others.delete(key);
      spoofed.delete(key);
      (verdict.status === 'spoofed' ? spoofed : others).set(key, verdict);
    },
    size: () => spoofed.size + others.size,
  };
}
