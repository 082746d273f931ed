import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../statistics.js';
import type { BenchWebsite } from './websites.js';

/**
 * Time from an upload's answer to the visibility of its line. It sends one line at a time to separate
 * websites, and reads their counts in whole hours, which only rollups answer. While a website gets nothing
 * new, the program reuses its answer to the equal call, so that frequent reads cost little.
 */

const SEND_EVERY_MS = 500;
const LOOK_EVERY_MS = 50;
/** Reads of one website; its customer's plan has about 10,000 calls an hour. */
const MOST_LOOKS = 8_000;
/** Longest wait without another visible line. */
const PATIENCE_MS = 60_000;
const LINE = { client_ip: '192.0.2.1', method: 'GET', path: '/probe', status: 200 };

export interface Freshness {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly probes: number;
}

export interface Probe {
  /** Stops sending, and waits until all lines are visible. */
  stop(): Promise<Freshness>;
}

export interface ProbeOptions {
  /** URL of the API and of ingest. */
  readonly baseUrl: string;
  readonly ingestUrl: string;
  /** A website of another customer at each call. */
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
  // `stop` reports a failure.
  running.catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await running;
      return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), probes: waits.length };
    },
  };
}

/**
 * Runs until `stopping` fires, or the limit of reads is reached.
 * @returns milliseconds from each line's answer to its visibility
 */
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
      // Lines become visible in the order of their answers.
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

/** `fetch` would take a third more CPU for such a call, beside the measured program. */
async function readTotals(url: string, apiKey: string): Promise<{ total_requests?: number }> {
  const call = get(url, { headers: { authorization: `Bearer ${apiKey}` } });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return (await json(response)) as { total_requests?: number };
}
