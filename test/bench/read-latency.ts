import type { Standalone } from '../harness/standalone.js';
import { quantile } from './statistics.js';

/** Latency of each read, one caller, milliseconds as the caller sees them. */

const WARM_UPS = 2;
const CALLS = 15;

/** A week in whole hours (rollups alone) for every rollup-backed read; the raw reads as they are called. */
export function readsOf(start: string, end: string, clientIp: string): Record<string, string> {
  const week = `start=${start}&end=${end}`;
  return {
    summary: `/summary?${week}`,
    traffic: `/traffic?${week}`,
    'status-codes': `/status-codes?${week}`,
    bots: `/bots?${week}`,
    'bots/access': `/bots/access?${week}`,
    paths: `/paths?${week}`,
    geography: `/geography?${week}`,
    ips: `/ips?${week}`,
    referrers: `/referrers?${week}`,
    devices: `/devices?${week}`,
    'summary, one country': `/summary?${week}&countries=DE`,
    'requests (raw)': `/requests?${week}&status_category=5xx&limit=100`,
    'ips/{ip}/requests (raw)': `/ips/${clientIp}/requests?hours=168`,
    'live (raw)': '/live',
  };
}

export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

export async function measureReads(
  program: Standalone,
  reads: Record<string, string>,
): Promise<Record<string, Latency>> {
  const latencies: Record<string, Latency> = {};
  for (const [name, path] of Object.entries(reads)) {
    const times: number[] = [];
    for (let call = 0; call < WARM_UPS + CALLS; call += 1) {
      const started = performance.now();
      await program.get(path);
      if (call >= WARM_UPS) times.push(performance.now() - started);
    }
    latencies[name] = { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
  }
  return latencies;
}
