import { LRUCache } from 'lru-cache';
import type { FamilyEntry } from '../../../shared/crawlers/table-schema.js';
import { confirmHost, type DnsResolver, type DnsVerdict } from './confirm-host.js';

/** Reverse-DNS verdicts off the hot path: cached, bounded, rate-limited. */

export interface StoredVerdict {
  readonly family: string;
  readonly clientIp: string;
  readonly status: DnsVerdict;
  /** Milliseconds since the epoch. */
  readonly decidedAt: number;
}

export interface DnsVerifierOptions {
  readonly families: readonly FamilyEntry[];
  readonly resolver: DnsResolver;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Most look-ups started a second; one asks the resolver two questions or a few more. */
  readonly lookupsPerSecond: number;
  /** Longest wait for one look-up, all its questions together. */
  readonly timeoutMs: number;
  /** Verdicts kept. */
  readonly cacheSize: number;
  /** Look-ups under way at once. */
  readonly concurrency: number;
  /** Addresses waiting; past it new ones stay pending and are queued when they come again. */
  readonly queueSize?: number;
  /** Called for every verdict made here (not for seeded ones). Must not throw. */
  readonly onVerdict: (family: string, clientIp: string, status: DnsVerdict, decidedAt: number) => void;
}

export interface DnsVerifier {
  /** Answers at once; an unknown address is queued for a look-up and 'pending' until then. */
  verdictOf(family: string, clientIp: string): DnsVerdict | 'pending';
  /** Fills the cache with verdicts made earlier; those past their time are left out. */
  seed(verdicts: Iterable<StoredVerdict>): void;
  /** Waiting and running look-ups, and verdicts held. */
  sizes(): { readonly waiting: number; readonly running: number; readonly verdicts: number };
  /** Starts no further look-up; those under way are left to end without effect. */
  stop(): void;
}

const DAY_MS = 86_400_000;
/** Crawlers keep their addresses for months; a wrong 'spoofed' (a PTR record made late) must heal soon. */
const lifetimeMs: Record<DnsVerdict, number> = {
  verified: 7 * DAY_MS,
  unverifiable: 7 * DAY_MS,
  spoofed: DAY_MS,
};

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 600_000;
/** After these failures in a row a look-up is dropped; the address's next request queues it again. */
const MOST_ATTEMPTS = 6;

interface Task {
  readonly key: string;
  readonly family: FamilyEntry;
  readonly clientIp: string;
  attempts: number;
}

/** The verifier of the families that have host patterns; timers of its own, and they keep no process alive. */
export function createDnsVerifier(options: DnsVerifierOptions): DnsVerifier {
  const { resolver, now, concurrency, queueSize = 10_000 } = options;
  const families = new Map(options.families.map((family) => [family.name, family]));
  const verdicts = new LRUCache<string, { readonly status: DnsVerdict; readonly until: number }>({
    max: options.cacheSize,
  });
  const waiting: Task[] = [];
  /** Keys waiting, running or in back-off. */
  const open = new Set<string>();
  const retries = new Set<NodeJS.Timeout>();
  const allowStart = createRateLimit(options.lookupsPerSecond, now);
  let running = 0;
  let wake: NodeJS.Timeout | undefined;
  let stopped = false;

  function startNext(): void {
    while (!stopped && running < concurrency && waiting.length > 0) {
      const delay = allowStart();
      if (delay > 0) {
        wake ??= later(delay, () => {
          wake = undefined;
          startNext();
        });
        return;
      }
      void run(waiting.shift() as Task);
    }
  }

  async function run(task: Task): Promise<void> {
    running += 1;
    try {
      const status = await within(options.timeoutMs, confirmHost(resolver, task.family, task.clientIp));
      open.delete(task.key);
      if (stopped) return;
      const decidedAt = now();
      verdicts.set(task.key, { status, until: decidedAt + lifetimeMs[status] });
      options.onVerdict(task.family.name, task.clientIp, status, decidedAt);
    } catch {
      retryLater(task);
    } finally {
      running -= 1;
      startNext();
    }
  }

  function retryLater(task: Task): void {
    task.attempts += 1;
    if (stopped || task.attempts >= MOST_ATTEMPTS) {
      open.delete(task.key);
      return;
    }
    const timer = later(Math.min(FIRST_RETRY_MS * 4 ** (task.attempts - 1), LONGEST_RETRY_MS), () => {
      retries.delete(timer);
      waiting.push(task);
      startNext();
    });
    retries.add(timer);
  }

  return {
    verdictOf(familyName, clientIp) {
      const key = `${familyName} ${clientIp}`;
      const known = verdicts.get(key);
      if (known !== undefined && known.until > now()) return known.status;
      const family = families.get(familyName);
      if (family?.hosts === undefined) return 'unverifiable';
      if (!stopped && open.size < queueSize && !open.has(key)) {
        open.add(key);
        waiting.push({ key, family, clientIp, attempts: 0 });
        startNext();
      }
      return 'pending';
    },
    seed(stored) {
      for (const { family, clientIp, status, decidedAt } of stored) {
        const until = decidedAt + lifetimeMs[status];
        if (until > now()) verdicts.set(`${family} ${clientIp}`, { status, until });
      }
    },
    sizes: () => ({ waiting: open.size - running, running, verdicts: verdicts.size }),
    stop() {
      stopped = true;
      clearTimeout(wake);
      for (const timer of retries) clearTimeout(timer);
    },
  };
}

/** Token bucket of one second's worth. Returns 0 and takes a token, or the milliseconds until there is one. */
function createRateLimit(perSecond: number, now: () => number): () => number {
  let tokens = perSecond;
  let filledAt = now();
  return () => {
    const at = now();
    tokens = Math.min(perSecond, tokens + (Math.max(0, at - filledAt) * perSecond) / 1000);
    filledAt = at;
    if (tokens >= 1) {
      tokens -= 1;
      return 0;
    }
    return Math.ceil(((1 - tokens) * 1000) / perSecond);
  };
}

function later(delayMs: number, act: () => void): NodeJS.Timeout {
  return setTimeout(act, delayMs).unref();
}

async function within<Value>(timeoutMs: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = later(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs} ms`)));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
