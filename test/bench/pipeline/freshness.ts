import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../statistics.js';
import type { BenchWebsite } from './websites.js';

/**
 * Answered to visible: one line at a time to a website of its own, and its count in whole hours, which only the rollups answer. While
 * nothing new is stored of that website, the program answers the equal call from what it has kept, so that looking often costs little.
 */

const SEND_EVERY_MS = 500;
const LOOK_EVERY_MS = 50;
/** Of one website; its customer's plan has some 10,000 calls an hour. */
const MOST_LOOKS = 8_000;
/** Without another line visible. */
const PATIENCE_MS = 60_000;
const LINE = { client_ip: '192.0.2.1', method: 'GET', path: '/probe', status: 200 };

export interface Freshness {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly probes: number;
}

export interface Probe {
  /** Sends no more, and waits until all lines are visible. */
  stop(): Promise<Freshness>;
}

export interface ProbeOptions {
  /** Of the API and of ingest. */
  readonly baseUrl: string;
  readonly ingestUrl: string;
  /** Another one at each call, of another customer. */
  nextWebsite(): Promise<BenchWebsite>;
}

export function startProbe(options: ProbeOptions): Probe {
  const stopping = new AbortController();
  const waits: number[] = [];
  const run = async () => {
    while (!stopping.signal.aborted)
      waits.push(...(await probeWebsite(await options.nextWebsite(), options, stopping.signal)));
  };
  const running = run();
  // Whoever stops it hears of a failure.
  running.catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await running;
      return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), probes: waits.length };
    },
  };
}

/** Until `stopping` fires, or so many looks are taken. @returns milliseconds from each line's answer until it was seen. */
async function probeWebsite(
  website: BenchWebsite,
  { baseUrl, ingestUrl }: ProbeOptions,
  stopping: AbortSignal,
): Promise<number[]> {
  const day = new Date().toISOString().slice(0, 10);
  const url = `${baseUrl}/public/v1/websites/${website.id}/status-codes?start=${day}&end=${day}`;
  const ended = new AbortController();
  const end = () => ended.abort();
  stopping.addEventListener('abort', end, { once: true });
  if (stopping.aborted) end();
  const answeredAt: number[] = [];
  const waits: number[] = [];
  let sent = false;

  async function send(): Promise<void> {
    while (!ended.signal.aborted) {
      const response = await fetch(ingestUrl, {
        method: 'POST',
        headers: { 'x-api-key': website.ingestKey },
        body: JSON.stringify({ ...LINE, timestamp: `${day}T00:00:00Z` }),
      });
      await response.arrayBuffer();
      if (response.status === 200) answeredAt.push(performance.now());
      await sleep(SEND_EVERY_MS, undefined, { signal: ended.signal }).catch(() => {});
    }
    sent = true;
  }

  async function look(): Promise<void> {
    let since = Date.now();
    for (let looks = 0; !sent || waits.length < answeredAt.length; looks++) {
      if (looks === MOST_LOOKS) end();
      const answer = await readTotals(url, website.apiKey);
      const now = performance.now();
      const seen = Math.min(answer.total_requests ?? 0, answeredAt.length);
      if (seen > waits.length || seen === answeredAt.length) since = Date.now();
      // Lines become visible in the order in which they were answered.
      while (waits.length < seen) waits.push(now - answeredAt[waits.length]!);
      if (Date.now() - since > PATIENCE_MS)
        throw new Error(
          `${waits.length} of ${answeredAt.length} probes are visible: ${JSON.stringify(answer)}`,
        );
      await sleep(LOOK_EVERY_MS);
    }
  }

  await Promise.all([send(), look()]);
  stopping.removeEventListener('abort', end);
  return waits;
}

/** Not by `fetch`, which takes a third more CPU for such a call: the probe runs beside what is measured. */
async function readTotals(url: string, apiKey: string): Promise<{ total_requests?: number }> {
  const call = get(url, { headers: { authorization: `Bearer ${apiKey}` } });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return (await json(response)) as { total_requests?: number };
}
