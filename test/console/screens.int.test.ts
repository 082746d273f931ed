import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { build } from '../../deploy/build/build.mjs';
import { builtCommandLine } from '../harness/built-command-line.js';
import { findChromium } from '../harness/chromium.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';
import { axeFaults, overflowOf, settled } from './console-page.js';

/** The console in a real browser, over two days of the demo and lines that a visitor wrote to deceive. */

const executable = findChromium();

/** Paths of the screens, from the list that the console itself uses. */
const screens = [
  ...readFileSync('services/api/console/screens/all-screens.ts', 'utf8').matchAll(/path: '([^']*)'/g),
].map(([, path]) => path!);

const MARKUP = '<img src=x onerror="document.title=1">';
const BIDI = '\u202Emoc.elpmaxe\u2066';
const HOSTILE = [
  `/${encodeURIComponent(MARKUP)}`,
  `/x?q=${encodeURIComponent(`"><script>document.title=1</script>${BIDI}`)}`,
  `/${'a'.repeat(8_000)}`,
];

let dataDir: string;
let program: Standalone;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

async function openPage(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const opened = await browser.newPage({ viewport: { width, height: 1_000 }, colorScheme });
  opened.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${opened.url()}: ${message.text()}`);
  });
  opened.on('pageerror', (error) => complaints.push(`${opened.url()}: ${error.message}`));
  opened.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (origin !== new URL(program.credentials.base_url).origin) complaints.push(`a call to ${origin}`);
  });
  return opened;
}

beforeAll(async () => {
  if (executable === null) return;
  expect(await build(process.cwd())).toBe(true);
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-screens-'));
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
  await promisify(execFile)(await builtCommandLine(), ['demo', '--days', '2', '--requests-per-day', '8000'], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  await sendHostileLines();
  browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] });
  page = await openPage(1_400, 'light');
  const link = await vi.waitFor(() => /http:\S+\/sign-in#\S+/.exec(program.output())![0]);
  await page.goto(link);
  await page.waitForSelector('.tile strong', { timeout: 60_000 });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await program?.stop();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

async function sendHostileLines(): Promise<void> {
  const at = new Date(Date.now() - 60_000).toISOString();
  const lines = HOSTILE.flatMap((target) =>
    Array.from({ length: 30 }, () =>
      JSON.stringify({
        timestamp: at,
        method: 'GET',
        path: target,
        status: 404,
        client_ip: '203.0.113.77',
        user_agent: `${MARKUP}${BIDI}`,
        referrer: `https://evil.example/${MARKUP}`,
        host: 'example.com',
      }),
    ),
  );
  const answer = await fetch(program.credentials.ingest_url, {
    method: 'POST',
    headers: { 'X-API-Key': program.credentials.ingest_key },
    body: lines.join('\n'),
  });
  expect(answer.status).toBe(200);
}

const address = (path: string, query = 'period=24h') => `${program.credentials.base_url}/${path}?${query}`;

describe.skipIf(executable === null)('every screen', () => {
  test.each(
    screens.flatMap((path) => [1_400, 400].map((width) => [path || 'overview', path, width] as const)),
  )(
    '%s (/%s) shows its blocks at %i pixels, without an error and within the width',
    async (_name, path, width) => {
      complaints.length = 0;
      await page.setViewportSize({ width, height: 1_000 });
      await page.goto(address(path));
      await settled(page);
      expect(complaints).toEqual([]);
      expect(await page.title()).toBe('Loglane');
      expect(await overflowOf(page)).toBeLessThanOrEqual(1);
      expect(
        await page.$$eval('main [role="alert"]', (all) => all.map(({ textContent }) => textContent)),
      ).toEqual([]);
    },
    90_000,
  );

  test.each(
    screens.flatMap((path) =>
      (['light', 'dark'] as const).map((theme) => [path || 'overview', path, theme] as const),
    ),
  )(
    '%s (/%s) has no fault that axe finds, %s',
    async (_name, path, theme) => {
      await page.setViewportSize({ width: 1_400, height: 1_000 });
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(address(path));
      await settled(page);
      expect(await axeFaults(page)).toEqual([]);
    },
    90_000,
  );
});

describe.skipIf(executable === null)('the overview', () => {
  test('has the figures of the API', async () => {
    await page.setViewportSize({ width: 1_400, height: 1_000 });
    const window = 'period=2026-01-01/2027-12-31';
    await page.goto(address('', window));
    await settled(page);
    const summary = (await program.get('/summary?start=2026-01-01&end=2027-12-31')) as any;
    const tile = await page.textContent('.tile[aria-label="People"] strong');
    const shown = (value: number) =>
      value < 10_000
        ? new Intl.NumberFormat('en-US').format(value)
        : new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
    expect(tile).toBe(shown(summary.human_requests));
  }, 60_000);

  test('filters by a click, and the back button removes the filter', async () => {
    await page.goto(address(''));
    await settled(page);
    await page.click('section[aria-label="Search crawlers"] .pick');
    await page.waitForSelector('.chip');
    expect(new URL(page.url()).searchParams.get('bot')).toBeTruthy();
    await page.goBack();
    await page.waitForSelector('.chip', { state: 'detached' });
  }, 60_000);

  test('obeys the keys', async () => {
    await page.goto(address(''));
    await settled(page);
    await page.keyboard.press('m');
    await vi.waitFor(() => expect(page.url()).toContain('period=30d'));
    await page.keyboard.press('v');
    await vi.waitFor(() => expect(page.url()).toContain('verified=1'));
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[aria-label="Keyboard"]', { state: 'visible', timeout: 5_000 });
    await page.keyboard.press('Escape');
  }, 60_000);
});
