import { setTimeout as sleep } from 'node:timers/promises';
import type { Standalone } from '../harness/standalone.js';
import { cpuSecondsOfTree, memoryOfTree } from './process-memory.js';
import { quantile } from './statistics.js';

/**
 * The whole way: uploads over HTTP, answered after the log is durable, enriched, visible in the rollups. Sent as fast as
 * the program answers; the rate counts until the last row is visible.
 */

const SENDERS = 4;
const PROBE_EVERY_MS = 1000;
const PROBE_POLL_MS = 100;

export interface ThroughputResult {
  readonly lines: number;
  readonly seconds: number;
  readonly linesPerSecond: number;
  /** Rates of the parts of the run, oldest first: whether it holds. */
  readonly minuteRates: readonly number[];
  readonly freshnessMs: { readonly p50: number; readonly p99: number; readonly probes: number };
  readonly peakAnonymousMiB: number;
  readonly peakFileMiB: number;
  readonly cpuSecondsPerMillionLines: number;
  readonly refused: number;
}

export interface Upload {
  readonly lines: number;
  /** gzip'ed body. */
  readonly body: Buffer;
}

export async function measureThroughput(
  program: Standalone,
  uploads: readonly Upload[],
  { seconds, source }: { seconds: number; source: string },
): Promise<ThroughputResult> {
  const started = performance.now();
  const cpuBefore = cpuSecondsOfTree(program.pid);
  const run = { sending: true, lines: 0, refused: 0, next: 0 };
  const memory = { anonymous: 0, file: 0 };
  const perMinute: number[] = [];

  const sample = setInterval(() => {
    const now = memoryOfTree(program.pid);
    memory.anonymous = Math.max(memory.anonymous, now.anonymous);
    memory.file = Math.max(memory.file, now.file);
  }, 1000);
  let lastLines = 0;
  const minutes = setInterval(() => {
    perMinute.push((run.lines - lastLines) / 60);
    lastLines = run.lines;
  }, 60_000);

  const freshness = probe(program, run);
  const senders = Array.from({ length: SENDERS }, () => send(program, uploads, source, run));
  await sleep(seconds * 1000);
  run.sending = false;
  await Promise.all(senders);
  await untilVisible(program, run.lines);
  const elapsed = (performance.now() - started) / 1000;
  clearInterval(sample);
  clearInterval(minutes);
  const cpu = [...cpuSecondsOfTree(program.pid)].reduce(
    (sum, [pid, value]) => sum + value - (cpuBefore.get(pid) ?? 0),
    0,
  );
  const waits = await freshness;
  return {
    lines: run.lines,
    seconds: elapsed,
    linesPerSecond: run.lines / elapsed,
    minuteRates: perMinute,
    freshnessMs: { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), probes: waits.length },
    peakAnonymousMiB: memory.anonymous / 1024 ** 2,
    peakFileMiB: memory.file / 1024 ** 2,
    cpuSecondsPerMillionLines: (cpu / run.lines) * 1e6,
    refused: run.refused,
  };
}

async function send(
  program: Standalone,
  uploads: readonly Upload[],
  source: string,
  run: { sending: boolean; lines: number; refused: number; next: number },
): Promise<void> {
  while (run.sending) {
    const upload = uploads[run.next++ % uploads.length] as Upload;
    const response = await fetch(`${program.credentials.ingest_url}?source=${source}`, {
      method: 'POST',
      headers: { 'x-api-key': program.credentials.ingest_key, 'content-encoding': 'gzip' },
      body: upload.body,
    });
    const answer = (await response.json()) as { accepted: number };
    if (response.status === 200) {
      run.lines += answer.accepted;
    } else {
      run.refused += 1;
      await sleep(1000);
    }
  }
}

/**
 * Answered to visible: one line at a time to a website of its own, then its count in whole hours, which only the rollups
 * answer.
 */
async function probe(program: Standalone, run: { sending: boolean }): Promise<number[]> {
  const { base_url, ingest_url, api_key } = program.credentials;
  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
  const created = await fetch(`${base_url}/public/v1/websites`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ domain: `probe-${Date.now()}.example.net`, source_type: 'vector' }),
  });
  const website = (await created.json()) as { website_id: string; ingest: { api_key: string } };
  const day = new Date().toISOString().slice(0, 10);
  const waits: number[] = [];
  while (run.sending) {
    await fetch(ingest_url, {
      method: 'POST',
      headers: { 'x-api-key': website.ingest.api_key },
      body: JSON.stringify({
        timestamp: `${day}T00:00:00Z`,
        client_ip: '192.0.2.1',
        method: 'GET',
        path: '/probe',
        status: 200,
      }),
    });
    const answered = performance.now();
    for (;;) {
      const url = `${base_url}/public/v1/websites/${website.website_id}/status-codes?start=${day}&end=${day}`;
      const answer = (await (await fetch(url, { headers })).json()) as { total_requests: number };
      if (answer.total_requests > waits.length) break;
      await sleep(PROBE_POLL_MS);
    }
    waits.push(performance.now() - answered);
    await sleep(PROBE_EVERY_MS);
  }
  return waits;
}

/** Requests of the last month, in whole days, which only the rollups answer. */
async function countVisible(program: Standalone): Promise<number> {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const summary = (await program.get(`/summary?start=${day(-30)}&end=${day(0)}`)) as unknown as {
    total_requests: number;
  };
  return summary.total_requests;
}

async function untilVisible(program: Standalone, lines: number): Promise<void> {
  while ((await countVisible(program)) < lines) await sleep(50);
}
