import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMetrics, sumOfSamples } from '../pipeline/metrics.js';
import { cpuSecondsOf } from '../pipeline/process-cpu.js';
import type { BenchWebsite } from '../pipeline/websites.js';
import { quantile } from '../statistics.js';
import type { Call } from './calls.js';

/** The processes that answer reads. */
export interface ReadTarget {
  /** One for each API, which get the calls alternately. */
  readonly apis: readonly { readonly url: string; readonly metricsUrl: string; readonly pid: number }[];
  readonly enginePid: number;
}

export interface RunOptions {
  readonly connections: number;
  readonly seconds: number;
}

export interface ReadFigures {
  readonly calls: number;
  readonly failed: number;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p95: number;
  /** Per call; CPU of the engine's process and of the APIs' processes, milliseconds. */
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
const WARM_UP_MS = 5_000;
/** Stays within the hourly limit of a plan at any speed. */
const MAX_CALLS = 2_000;
/** Pause before the repeat of a call that answers `data_buffering`. */
const BUFFERING_MS = 50;

/** Calls reads repeatedly. A call that answers `data_buffering` is repeated until it has its answer, and counts once. */
export async function measureCalls(
  target: ReadTarget,
  websites: readonly BenchWebsite[],
  next: () => Call,
  { connections, seconds }: RunOptions,
): Promise<ReadFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let turn = 0;
  const ask = () => {
    const { website, path } = next();
    const { id, apiKey } = websites[website]!;
    const { url } = target.apis[turn++ % target.apis.length]!;
    return timed(agent, `${url}/public/v1/websites/${id}${path}`, apiKey);
  };
  const warmUpUntil = performance.now() + WARM_UP_MS;
  for (let call = 0; call < WARM_UPS && performance.now() < warmUpUntil; call++) await ask();
  const before = await costs(target);
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
  const after = await costs(target);
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

async function timed(agent: Agent, url: string, apiKey: string): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  for (;;) {
    const { status, isBuffering } = await ask(agent, url, apiKey);
    if (status !== 200 || !isBuffering) return { status, ms: performance.now() - started };
    await sleep(BUFFERING_MS);
  }
}

function ask(agent: Agent, url: string, apiKey: string): Promise<{ status: number; isBuffering: boolean }> {
  return new Promise((done, fail) => {
    get(url, { agent, headers: { authorization: `Bearer ${apiKey}` } }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response.resume();
      response.once('error', fail);
      response.once('end', () => done({ status, isBuffering: headers['retry-after'] !== undefined }));
    }).once('error', fail);
  });
}

interface Costs {
  readonly engineMs: number;
  readonly programMs: number;
  readonly statements: number;
  readonly rows: number;
}

async function costs({ apis, enginePid }: ReadTarget): Promise<Costs> {
  const metrics = await Promise.all(apis.map(({ metricsUrl }) => readMetrics(metricsUrl)));
  const sumOf = (name: string) => metrics.reduce((sum, text) => sum + sumOfSamples(text, name), 0);
  return {
    engineMs: cpuSecondsOf(enginePid) * 1000,
    programMs: apis.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0) * 1000,
    statements: sumOf('loglane_read_statements_total'),
    rows: sumOf('loglane_read_rows_total'),
  };
}
