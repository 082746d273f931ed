import { Agent } from 'node:http';
import type { BenchWebsite } from '../pipeline/websites.js';
import { quantile } from '../statistics.js';
import { askUntilAnswered } from './ask.js';
import type { Call } from './calls.js';
import { type Costs, costsNow, costsOfCalls, type ReadTarget, type RowCosts } from './costs.js';

export interface RunOptions {
  readonly connections: number;
  readonly seconds: number;
  /** CPU of each row that is stored during the run. */
  readonly ofRow: RowCosts;
}

export interface ReadFigures {
  readonly calls: number;
  readonly failed: number;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p95: number;
  /** Per call; CPU of the engine's process and of the APIs' processes, milliseconds, without that of stored rows. */
  readonly engineCpuMs: number;
  readonly programCpuMs: number;
  /** Per call; from the processes' own counts, which include their background work. */
  readonly statements: number;
  readonly rowsRead: number;
}

/** At least this many calls at any duration: figures of one call are not significant. */
const MIN_CALLS = 5;
/** Uncounted calls: code is compiled after some repeats, and the engine's caches are warm in a running instance. */
const WARM_UPS = 20;
/** Longest warm-up: a dear read is not slower by uncompiled code. */
const WARM_UP_MS = 2_000;
/** Stays within the hourly limit of a plan at any speed. */
const MAX_CALLS = 2_000;

/** Calls reads repeatedly: the next one when an answer has come. */
export async function measureCalls(
  target: ReadTarget,
  websites: readonly BenchWebsite[],
  next: () => Call,
  { connections, seconds, ofRow }: RunOptions,
): Promise<ReadFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ask = createAsker(target, websites, next, agent);
  const warmUpUntil = performance.now() + WARM_UP_MS;
  for (let call = 0; call < WARM_UPS && performance.now() < warmUpUntil; call++) await ask();
  const before = await costsNow(target);
  const times: number[] = [];
  let failed = 0;
  let sent = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const caller = async () => {
    while (sent < MAX_CALLS && (performance.now() < until || sent < MIN_CALLS)) {
      sent++;
      const { status, ms } = await ask();
      if (status === 200) times.push(ms);
      else failed++;
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  const elapsed = (performance.now() - started) / 1000;
  const after = await costsNow(target);
  agent.destroy();
  return figuresOf({ times, failed, elapsed, before, after, ofRow });
}

/** @returns a function that makes the next call, of the next API. */
export function createAsker(
  { apis }: ReadTarget,
  websites: readonly BenchWebsite[],
  next: () => Call,
  agent: Agent,
): () => Promise<{ status: number; ms: number }> {
  let turn = 0;
  return () => {
    const { website, path } = next();
    const { id, apiKey } = websites[website]!;
    const { url } = apis[turn++ % apis.length]!;
    return askUntilAnswered(agent, `${url}/public/v1/websites/${id}${path}`, apiKey);
  };
}

export interface Measured {
  /** Milliseconds of each call with an answer. */
  readonly times: readonly number[];
  readonly failed: number;
  /** Seconds. */
  readonly elapsed: number;
  readonly before: Costs;
  readonly after: Costs;
  readonly ofRow: RowCosts;
}

export function figuresOf({ times, failed, elapsed, before, after, ofRow }: Measured): ReadFigures {
  const costs = costsOfCalls(before, after, ofRow);
  const perCall = (sum: number) => sum / Math.max(1, times.length);
  return {
    calls: times.length,
    failed,
    callsPerSecond: times.length / elapsed,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    engineCpuMs: perCall(costs.engineMs),
    programCpuMs: perCall(costs.programMs),
    statements: perCall(costs.statements),
    rowsRead: perCall(costs.rowsRead),
  };
}
