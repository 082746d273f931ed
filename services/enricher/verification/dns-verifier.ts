import { LRUCache } from 'lru-cache';
import type { FamilyEntry } from '../../../shared/crawlers/table-schema.js';
import { DAY_MS } from '../../../shared/durations.js';
import { within } from '../../../shared/pacing/in-time.js';
import { parseAddress } from '../../../shared/requests/address.js';
import { confirmHost, type DnsResolver, type DnsVerdict } from './confirm-host.js';
import { type Asker, createLookupSchedule, type Lookup } from './lookup-schedule.js';
import { createOwedVerdicts } from './owed-verdicts.js';

/**
 * Reverse-DNS verdicts off the hot path: cached, bounded, rate-limited, and shared fairly among websites. An answer is
 * everybody's; the look-ups and the verdicts that are written are each website's own share. What falls off stays
 * pending, and a later request of the address asks again.
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
  /** Most look-ups started a second; one asks the resolver two questions or a few more. */
  readonly lookupsPerSecond: number;
  /** Longest wait for one look-up, all its questions together. */
  readonly timeoutMs: number;
  /** Verdicts kept: so many of spoofed addresses, and so many others. */
  readonly cacheSize: number;
  /** Look-ups under way at once. */
  readonly concurrency: number;
  /** Addresses waiting, of all websites (`shareOf` in shared/pacing/fair-queue.ts). */
  readonly queueSize?: number;
  /** Called for every verdict made here (not for seeded ones), for each website that waits for it. Must not throw. */
  readonly onVerdict: (verdict: WebsiteVerdict) => void;
}

export interface DnsVerifier {
  /** Answers at once; an unknown address is queued for a look-up and 'pending' until then. */
  verdictOf(family: string, clientIp: string, asker: Asker): DnsVerdict | 'pending';
  /** Fills the cache with verdicts made earlier; those past their time are left out. */
  seed(verdicts: Iterable<StoredVerdict>): void;
  /** Look-ups waiting, resting after a failure and running, and verdicts held. */
  sizes(): {
    readonly waiting: number;
    readonly resting: number;
    readonly running: number;
    readonly verdicts: number;
  };
  /** Whether the resolver answers. */
  health(): DnsHealth;
  /** Starts no further look-up; those under way are left to end without effect. */
  stop(): void;
}

/** `failing`: the last look-ups had no answer; `unused`: none was made yet. ISO 8601, null for never. */
export interface DnsHealth {
  readonly state: 'working' | 'failing' | 'unused';
  readonly last_answer: string | null;
  readonly failing_since: string | null;
}

/** One network's name servers may fail: so many look-ups in a row say that the resolver does. */
const FAILURES_OF_RESOLVER = 5;

/** The verifier of the families that have host patterns; timers of its own, and they keep no process alive. */
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

/** Crawlers keep their addresses for months; a wrong 'spoofed' (a PTR record made late) must heal soon. */
const lifetimeMs: Record<DnsVerdict, number> = {
  verified: 7 * DAY_MS,
  unverifiable: 7 * DAY_MS,
  spoofed: DAY_MS,
};

/** Spoofed addresses are kept apart: anybody can make them up by the million, and none pushes a crawler's out. */
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
