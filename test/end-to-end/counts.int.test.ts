import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoTraffic } from '../../deploy/demo/traffic/demo-traffic.js';
import { type DemoFormat, demoFormats, formatters } from '../../deploy/demo/traffic/formats.js';
import { DAY_MS, HOUR_MS } from '../../shared/durations.js';
import { countTruth, countUserAgents, type Truth } from '../harness/demo-truth.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** With real traffic, every figure is compared with a count over the lines. */

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
/** Yesterday morning: always within the retention of a plan. */
const END = Date.parse(`${dayOf(Date.now() - DAY_MS)}T09:17:00Z`);
const WINDOW = `start=${dayOf(END - DAY_MS)}&end=${dayOf(END)}`;
const LINES_PER_UPLOAD = 3_000;

let dataDir: string;
let program: Standalone;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-counts-'));
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
});
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe.each(demoFormats)('a day of traffic sent as %s', (format) => {
  const requests = [
    ...demoTraffic({ seed: format, days: 1, requestsPerDay: 12_000, end: END, domain: 'shop.example' }),
  ];
  const truth = countTruth(requests);
  let read: (path: string) => Promise<any>;

  beforeAll(async () => {
    const website = await createWebsite(`${format}.shop.example`);
    for (let at = 0; at < requests.length; at += LINES_PER_UPLOAD) {
      await upload(
        website.ingest.api_key,
        requests.slice(at, at + LINES_PER_UPLOAD).map(formatters[format]),
        format,
      );
    }
    read = (path) => get(`/public/v1/websites/${website.website_id}${path}`);
    await untilVisible(read, requests.length);
  });

  test('the summary counts every line once', async () => {
    const summary = await read(`/summary?${WINDOW}`);
    expect(summary.total_requests).toBe(truth.requests);
    expect(summary.bytes_sent).toBe(truth.bytesSent);
    expect(summary.human_requests + summary.bot_requests).toBe(truth.requests);
    // Some days have none.
    expect(summary.undeclared_agent_requests).toBe(truth.byActor.get('undeclared_agent') ?? 0);
    expect(summary.unique_ips).toBeGreaterThan(truth.byClientIp.size * 0.97);
    expect(summary.unique_ips).toBeLessThan(truth.byClientIp.size * 1.03);
    expect(summary.avg_time_ms).toBeCloseTo(truth.timeTakenMs / truth.requests, 1);
  });

  test('status codes, paths and bots equal direct counts', async () => {
    const statuses = await read(`/status-codes?${WINDOW}`);
    const byStatus = new Map(statuses.status_codes.map((row: any) => [row.status, row.requests]));
    expect(byStatus).toEqual(truth.byStatus);

    const paths = await read(`/paths?${WINDOW}&limit=1000`);
    expect(paths.paths.slice(0, 50).map((row: any) => row.requests)).toEqual(
      [...truth.byPath.values()].sort((a, b) => b - a).slice(0, 50),
    );
    for (const row of paths.paths)
      expect([row.path, row.requests]).toEqual([row.path, truth.byPath.get(row.path)]);

    const bots = await read(`/bots?${WINDOW}`);
    const counts = new Map<string, number>(bots.bots.map((row: any) => [row.bot_name, row.requests]));
    for (const token of ['GPTBot', 'ClaudeBot', 'bingbot', 'AhrefsBot']) {
      expect([token, counts.get(token) ?? 0]).toEqual([token, countUserAgents(truth, token)]);
    }
  });

  test('the inbox contains the bots that are in no table', async () => {
    const { bots } = await read(`/bots/unknown?${WINDOW}`);
    const counts = new Map(bots.map((row: any) => [row.bot_name, row.requests]));
    for (const name of ['ShelfScout', 'quietcrawler'])
      expect([name, counts.get(name) ?? 0]).toEqual([name, countUserAgents(truth, name)]);
    // A rare visitor may be missing on a day; it is present on this one.
    if (format === 'logpush') {
      expect(bots.find((row: any) => row.bot_name === 'ShelfScout')).toMatchObject({
        sample_user_agents: [expect.stringContaining('+https://shelfscout.example/bot')],
        networks: expect.arrayContaining([expect.objectContaining({ asn: 24_940 })]),
      });
    }
    for (const known of ['GPTBot', 'Feedly', 'No user agent']) expect(counts.has(known)).toBe(false);
  });

  test('a window that cuts through hours counts only its own lines', async () => {
    const start = END - 13 * HOUR_MS + 187_000;
    const end = END - 5 * HOUR_MS - 2_108_000;
    const within = countWithin(start, end);
    const window = `start=${new Date(start).toISOString()}&end=${new Date(end).toISOString()}`;
    const summary = await read(`/summary?${window}`);
    expect([summary.total_requests, summary.bytes_sent]).toEqual([within.requests, within.bytesSent]);
    const found = await countRequests(`${window}&status=404`);
    expect(found).toBe(within.byStatus.get(404) ?? 0);
  });

  function countWithin(start: number, end: number): Truth {
    // Combined lines have whole seconds.
    const instant = (timestamp: number) =>
      format === 'combined' ? Math.floor(timestamp / 1000) * 1000 : timestamp;
    return countTruth(
      requests.filter(({ timestamp }) => instant(timestamp) >= start && instant(timestamp) < end),
    );
  }

  /** Follows the cursor to its end. */
  async function countRequests(query: string): Promise<number> {
    let count = 0;
    let cursor = '';
    do {
      const page = await read(`/requests?${query}&limit=500${cursor}`);
      count += page.requests.length;
      cursor = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : '';
    } while (cursor !== '');
    return count;
  }
});

test('the metrics show the stored rows and ranges, and no lag', async () => {
  const figure = await figures();
  expect(figure('loglane_enricher_lag_records{partition="0"}')).toBe(0);
  expect(figure('loglane_enricher_rows_total')).toBeGreaterThan(1_000);
  expect(figure('loglane_enricher_range_rows_sum')).toBe(figure('loglane_enricher_rows_total'));
  expect(figure('loglane_enricher_dead_records_total')).toBe(0);
});

async function get(path: string): Promise<any> {
  const { base_url, api_key } = program.credentials;
  const response = await fetch(base_url + path, { headers: { authorization: `Bearer ${api_key}` } });
  const body = await response.json();
  expect([path, response.status, response.status === 200 ? '' : body]).toEqual([path, 200, '']);
  return body;
}

async function createWebsite(domain: string): Promise<any> {
  const { base_url, api_key } = program.credentials;
  const response = await fetch(`${base_url}/public/v1/websites`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ domain, source_type: 'vector' }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

async function upload(key: string, lines: string[], format: DemoFormat): Promise<void> {
  const response = await fetch(program.credentials.ingest_url, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-encoding': 'gzip' },
    body: gzipSync(lines.join('\n')),
  });
  const source = { loglane: 'loglane', logpush: 'cloudflare', combined: 'combined' }[format];
  expect(await response.json()).toMatchObject({ accepted: lines.length, rejected: 0, source });
}

async function figures(): Promise<(name: string) => number> {
  const text = await (await fetch(`${program.metricsUrl}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Records in the log that are not processed. */
const lag = async () => (await figures())('loglane_enricher_lag_records{partition="0"}');

async function untilVisible(read: (path: string) => Promise<any>, rows: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { total_requests } = await read(
      `/summary?start=${dayOf(END - 2 * DAY_MS)}&end=${dayOf(END + DAY_MS)}`,
    );
    // An insert fills the rollups one after another; the range is done after the last one.
    if (total_requests === rows && (await lag()) === 0) return;
    expect(total_requests).toBeLessThanOrEqual(rows);
    if (Date.now() > deadline) throw new Error(`${total_requests} of ${rows} rows after 60 s`);
    await sleep(100);
  }
}
