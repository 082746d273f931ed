import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoTraffic } from '../../deploy/demo/traffic/demo-traffic.js';
import { formatters } from '../../deploy/demo/traffic/formats.js';
import { DAY_MS } from '../../shared/durations.js';
import { inPieces } from '../../shared/pacing/in-pieces.js';
import { builtCommandLine } from '../harness/built-command-line.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** One week of lines, sent to several websites of one instance in uploads of different sizes and orders, raises the same alerts. */

const run = promisify(execFile);
const DAYS = 7;
/** A real address of OpenAI, and a scanner. */
const GPTBOT_ADDRESS = '20.171.206.9';
const SCANNER = '203.0.113.99';

let dataDir: string;
let program: Standalone;
let organisation: string;
let apiKey: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-same-alerts-'));
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
  organisation = (await admin(['organisations', 'create', 'Alpha', '--plan', 'unlimited'])).id;
  apiKey = (await admin(['api-keys', 'create', organisation])).clear_text;
});
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function admin(words: string[]) {
  const command = ['--import', 'tsx', 'deploy/admin/main.ts', ...words, '--json'];
  const { stdout } = await run(process.execPath, command, { env: { ...process.env, DATA_DIR: dataDir } });
  return JSON.parse(stdout);
}

interface Website {
  readonly id: string;
  readonly key: string;
}

async function createWebsite(name: string): Promise<Website> {
  const made = await admin(['websites', 'create', organisation, `${name}.example`, '--source', 'vector']);
  return { id: made.website.id, key: made.clear_text };
}

/** A shop's past week: an outage, a scanner, and OpenAI's crawler, which is refused from the fifth day on. */
function weekOfLines(end: number): string[] {
  const options = { seed: 'same alerts', domain: 'shop.example', days: DAYS, requestsPerDay: 5_400, end };
  const lines = [...demoTraffic(options)].map((request) => ({
    at: request.timestamp,
    line: formatters.loglane(request),
  }));
  const add = (at: number, client_ip: string, path: string, status: number, user_agent: string) =>
    lines.push({
      at,
      line: JSON.stringify({
        ...{ timestamp: new Date(at).toISOString(), client_ip, method: 'GET', host: 'shop.example' },
        ...{ path, status, bytes_sent: 500, user_agent },
      }),
    });
  const gptbot =
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
  for (let at = end - DAYS * DAY_MS; at < end; at += 3 * 60_000)
    add(at, GPTBOT_ADDRESS, `/products/${at % 89}`, at > end - 2.5 * DAY_MS ? 403 : 200, gptbot);
  for (let probe = 0; probe < 400; probe += 1)
    add(
      end - 3 * DAY_MS + probe * 1_000,
      SCANNER,
      `/backup-${probe}/.env`,
      404,
      'Mozilla/5.0 (X11; Linux x86_64)',
    );
  return lines.sort((a, b) => a.at - b.at).map(({ line }) => line);
}

async function upload({ key }: Website, lines: readonly string[]): Promise<void> {
  const response = await fetch(program.credentials.ingest_url, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-encoding': 'gzip' },
    body: gzipSync(lines.join('\n')),
  });
  expect(await response.json()).toMatchObject({ accepted: lines.length, rejected: 0 });
}

/** Ways of sending lines to a website. */
const ways: Readonly<Record<string, (website: Website, lines: readonly string[]) => Promise<void>>> = {
  async 'pieces of 700'(website, lines) {
    for (const piece of inPieces(lines, 700)) await upload(website, piece);
  },
  async 'pieces of 4,000, four at once, the newest first'(website, lines) {
    for (const four of inPieces(inPieces(lines, 4_000).reverse(), 4))
      await Promise.all(four.map((piece) => upload(website, piece)));
  },
  async 'one upload'(website, lines) {
    await upload(website, lines);
  },
  async 'a line of each hour in turn, in pieces of 2,000'(website, lines) {
    const interleaved = Array.from({ length: 97 }, (_, place) =>
      lines.filter((_, at) => at % 97 === place),
    ).flat();
    for (const piece of inPieces(interleaved, 2_000)) await upload(website, piece);
  },
  async 'loglane import'(website, lines) {
    const file = join(dataDir, 'week.ndjson.gz');
    await writeFile(file, gzipSync(lines.join('\n')));
    const command = ['import', file, '--key', website.key];
    await run(await builtCommandLine(), command, { env: { ...process.env, DATA_DIR: dataDir } });
  },
};

interface Alert {
  readonly website_id: string;
  readonly alert_id: string;
  readonly alert_type: string;
  readonly fingerprint: string;
  readonly created_at: string;
  readonly details: Readonly<Record<string, unknown>>;
}

async function alertsOf({ id }: Website) {
  const response = await fetch(`${program.credentials.base_url}/public/v1/websites/${id}/alerts?limit=500`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { alerts } = (await response.json()) as { alerts: Alert[] };
  return alerts
    .map(({ website_id, alert_id, ...alert }): Omit<Alert, 'website_id' | 'alert_id'> => {
      const { hours_old, ...details } = alert.details;
      return { ...alert, details };
    })
    .sort((a, b) => `${a.fingerprint}${a.created_at}`.localeCompare(`${b.fingerprint}${b.created_at}`));
}

/** Waits until two checks see the same number of evaluated intervals. */
async function untilJudged(): Promise<void> {
  const judged = async () => {
    const text = await (await fetch(`${program.metricsUrl}/metrics`)).text();
    return Number(/^loglane_detector_evaluations_total (\d+)/m.exec(text)?.[1] ?? 0);
  };
  const least = Object.keys(ways).length * DAYS * 288;
  for (const deadline = Date.now() + 540_000; (await judged()) < least - 100; await sleep(1_000))
    if (Date.now() > deadline) throw new Error(`${await judged()} of ${least} intervals are judged`);
  for (let before = -1; before !== (await judged()); await sleep(10_000)) before = await judged();
}

test('the same lines raise the same alerts for every way of sending', { timeout: 900_000 }, async () => {
  const end = Math.floor((Date.now() - 3 * DAY_MS) / DAY_MS) * DAY_MS;
  const lines = weekOfLines(end);
  const websites = new Map<string, Website>();
  for (const [index, name] of Object.keys(ways).entries())
    websites.set(name, await createWebsite(`w${index}`));
  await Promise.all([...websites].map(([name, website]) => ways[name]!(website, lines)));
  await untilJudged();
  const [first, ...others] = await Promise.all([...websites.values()].map(alertsOf));
  const types = first!.map(({ alert_type }) => alert_type);
  expect(types).toContain('error_spike_5xx');
  expect(types).toContain('hacking_probe');
  expect(types).toContain('crawler_blocked');
  // No false alerts: no silence after the archive, no drop.
  expect(types.filter((type) => ['log_silence', 'traffic_drop', 'crawler_drop'].includes(type))).toEqual([]);
  expect(first!.every(({ details }) => details.from_import === true)).toBe(true);
  for (const [index, alerts] of others.entries())
    expect(alerts, [...websites.keys()][index + 1]!).toEqual(first);
});
