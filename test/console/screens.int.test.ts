import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { builtCommandLine } from '../harness/built-command-line.js';
import type { Standalone } from '../harness/standalone.js';
import { axeFaults, overflowOf, settled } from './console-page.js';
import { executable, type OpenConsole, openConsole, watch } from './open-console.js';

/** The console in a real browser, over two days of the demo and lines that a visitor wrote to deceive. */

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

let own: OpenConsole;
let program: Standalone;
let page: Page;

async function openPage(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const opened = await own.browser.newPage({ viewport: { width, height: 1_000 }, colorScheme });
  watch(opened, own);
  opened.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (origin !== new URL(program.credentials.base_url).origin) own.complaints.push(`a call to ${origin}`);
  });
  return opened;
}

beforeAll(async () => {
  if (executable === null) return;
  own = await openConsole();
  program = own.program;
  await promisify(execFile)(await builtCommandLine(), ['demo', '--days', '2', '--requests-per-day', '8000'], {
    env: { ...process.env, DATA_DIR: own.dataDir },
  });
  await sendHostileLines();
  page = await openPage(1_400, 'light');
  await page.goto(await own.signInLink());
  await page.waitForSelector('.tile strong', { timeout: 60_000 });
}, 240_000);

afterAll(() => own?.close());

async function sendHostileLines(): Promise<void> {
  const sender = { status: 404, user_agent: `${MARKUP}${BIDI}`, referrer: `https://evil.example/${MARKUP}` };
  await own.send(HOSTILE.flatMap((path) => Array.from({ length: 30 }, () => ({ ...sender, path }))));
}

const address = (path: string, query = 'period=24h') => `${program.credentials.base_url}/${path}?${query}`;

describe.skipIf(executable === null)('every screen', () => {
  test.each(
    screens.flatMap((path) => [1_400, 400].map((width) => [path || 'overview', path, width] as const)),
  )(
    '%s (/%s) shows its blocks at %i pixels, without an error and within the width',
    async (_name, path, width) => {
      own.complaints.length = 0;
      await page.setViewportSize({ width, height: 1_000 });
      await page.goto(address(path));
      await settled(page);
      expect(own.complaints).toEqual([]);
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
