import { Agent, get } from 'node:http';
import type { Standalone } from '../../harness/standalone.js';
import { readMetrics, sumOfSamples } from '../pipeline/metrics.js';
import { cpuSecondsOf } from '../pipeline/process-cpu.js';
import type { BenchWebsite } from '../pipeline/websites.js';
import { enginePid } from '../process-memory.js';
import { quantile } from '../statistics.js';
import { pathOf } from './calls.js';

/** `cold`: alternating websites, no two calls equal. `warm`: the same call repeatedly. */
export type Mode = 'cold' | 'warm';

export interface Run {
  readonly read: string;
  /** Length of the window, which ends now. */
  readonly hours: number;
  readonly mode: Mode;
  readonly connections: number;
  readonly seconds: number;
}

export interface ReadFigures {
  readonly calls: number;
  readonly failed: number;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p95: number;
  /** Per call; CPU of the engine's process and of the program's own, milliseconds. */
  readonly engineCpuMs: number;
  readonly programCpuMs: number;
  /** Per call; from the process's own counts, which include its background work. */
  readonly statements: number;
  readonly rowsRead: number;
}

/** At least this many calls at any duration: figures of one call are not significant. */
const MIN_CALLS = 5;
/** Uncounted calls: the engine's caches are warm in a running instance. */
const WARM_UPS = 2;
/** Stays within the hourly limit of a plan at any speed. */
const MAX_CALLS = 2_000;

/**
 * Calls one read repeatedly.
 * @param rounds number of calls of each website; preserved between runs
 */
export async function measureRead(
  program: Standalone,
  websites: readonly BenchWebsite[],
  { read, hours, mode, connections, seconds }: Run,
  rounds: { cold: number; warm: number },
): Promise<ReadFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ask = (website: BenchWebsite, round: number) =>
    timed(
      agent,
      `${program.credentials.base_url}/public/v1/websites/${website.id}${pathOf(read, hours, round)}`,
      website.apiKey,
    );
  const same = websites[rounds.warm++ % websites.length] as BenchWebsite;
  const next = () => {
    const turn = mode === 'cold' ? rounds.cold++ : 0;
    const website = mode === 'cold' ? (websites[turn % websites.length] as BenchWebsite) : same;
    return ask(website, Math.floor(turn / websites.length));
  };
  for (let call = 0; call < WARM_UPS; call++) await next();
  const before = await costs(program);
  const times: number[] = [];
  let failed = 0;
  let sent = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const caller = async () => {
    while (sent < MAX_CALLS && (performance.now() < until || sent < MIN_CALLS)) {
      sent++;
      const { status, ms } = await next();
      if (status === 200) times.push(ms);
      else failed++;
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  const elapsed = (performance.now() - started) / 1000;
  const after = await costs(program);
  agent.destroy();
  const perCall = (name: keyof Costs) => (after[name] - before[name]) / Math.max(1, times.length);
  return {
    calls: times.length,
    failed,
    callsPerSecond: times.length / elapsed,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    engineCpuMs: perCall('engineMs'),
    programCpuMs: perCall('programMs'),
    statements: perCall('statements'),
    rowsRead: perCall('rows'),
  };
}

function timed(agent: Agent, url: string, apiKey: string): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  return new Promise((done, fail) => {
    get(url, { agent, headers: { authorization: `Bearer ${apiKey}` } }, (response) => {
      response.resume();
      response.once('error', fail);
      response.once('end', () => done({ status: response.statusCode ?? 0, ms: performance.now() - started }));
    }).once('error', fail);
  });
}

interface Costs {
  readonly engineMs: number;
  readonly programMs: number;
  readonly statements: number;
  readonly rows: number;
}

async function costs(program: Standalone): Promise<Costs> {
  const metrics = await readMetrics(program.metricsUrl);
  return {
    engineMs: cpuSecondsOf(enginePid(program.pid)) * 1000,
    programMs: cpuSecondsOf(program.pid) * 1000,
    statements: sumOfSamples(metrics, 'loglane_read_statements_total'),
    rows: sumOfSamples(metrics, 'loglane_read_rows_total'),
  };
}
