import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Standalone } from '../harness/standalone.js';
import { axeFaults, overflowOf, settled } from './console-page.js';
import { executable, type OpenConsole, openConsole, watch } from './open-console.js';

/** The forms of the console in a real browser: what they change, where they show a refusal, who may use them. */

const run = promisify(execFile);
const SETTINGS = 'incidents?tab=settings';
const PATHS = ['/', '/blog/', '/blog/hike', '/shop/tent'];

let own: OpenConsole;
let program: Standalone;
let page: Page;

beforeAll(async () => {
  if (executable === null) return;
  own = await openConsole();
  program = own.program;
  await sendLines();
  page = await signIn(await own.signInLink());
}, 240_000);

afterAll(() => own?.close());

/** Ten requests of each path. */
async function sendLines(): Promise<void> {
  const requests = PATHS.flatMap((path) =>
    Array.from({ length: 10 }, () => ({ path, status: 200, user_agent: 'Mozilla/5.0 Firefox/140.0' })),
  );
  await own.send(requests);
  await vi.waitFor(
    async () => expect(((await program.get('/summary')) as any).total_requests).toBe(requests.length),
    { timeout: 30_000, interval: 500 },
  );
}

/** A page of its own, so that sessions do not mix. */
async function signIn(link: string): Promise<Page> {
  const opened = await own.browser.newPage({ viewport: { width: 1_400, height: 1_000 } });
  // A refused form is logged by the browser itself.
  watch(opened, own, (message) => message.includes('400'));
  await opened.goto(link);
  await opened.waitForSelector('nav');
  return opened;
}

async function open(path: string, opened = page): Promise<void> {
  await opened.goto(`${program.credentials.base_url}/${path}`);
  await settled(opened);
}

const config = async () => ((await program.get('/alerts/config')) as any).config;
const save = (opened = page) => opened.click('text=Save the settings');

describe.skipIf(executable === null)('the alert settings', () => {
  test('are those of the API, and an owner changes them by the keyboard alone', async () => {
    await open(SETTINGS);
    const before = await config();
    expect(await page.inputValue('[name="traffic_frequency_minutes"]')).toBe(
      String(before.traffic_frequency_minutes),
    );
    expect(await page.isChecked('[name="alerts_enabled"]')).toBe(before.alerts_enabled);
    const isDone = async (name: string) =>
      (await page.evaluate('document.activeElement?.getAttribute("name")')) === name;
    const reach = async (name: string) => {
      for (let step = 0; step < 100 && !(await isDone(name)); step += 1) await page.keyboard.press('Tab');
      expect(await isDone(name)).toBe(true);
    };
    await reach('traffic_frequency_minutes');
    await page.keyboard.press('ArrowUp');
    await reach('digest_enabled');
    await page.keyboard.press('Space');
    await reach('suppressed_bots');
    await page.keyboard.type('AhrefsBot');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=The settings are saved.');
    expect(await config()).toEqual({
      ...before,
      traffic_frequency_minutes: before.traffic_frequency_minutes + 5,
      digest_enabled: true,
      suppressed_bots: ['AhrefsBot'],
    });
  }, 60_000);

  test('show a refusal at its field, and keep the other values', async () => {
    await open(SETTINGS);
    const before = await config();
    await page.fill('[name="suppressed_crawlers"]', `Googlebot\n${'x'.repeat(201)}`);
    await save();
    const field = page.locator('.field', { has: page.locator('[name="suppressed_crawlers"]') });
    await field.locator('small').waitFor();
    expect(await field.locator('small').textContent()).toContain('expected at most 200 characters');
    expect(await page.getAttribute('[name="suppressed_crawlers"]', 'aria-invalid')).toBe('true');
    expect(await page.inputValue('[name="suppressed_crawlers"]')).toContain('Googlebot');
    expect(await axeFaults(page)).toEqual([]);
    expect(await config()).toEqual(before);
  }, 60_000);

  test('are read by a viewer, who changes none of them', async () => {
    const { stdout } = await run(
      process.execPath,
      ['--import', 'tsx', 'deploy/admin/main.ts', 'sign-in', '--role', 'viewer'],
      { env: { ...process.env, DATA_DIR: own.dataDir } },
    );
    const viewer = await signIn(/http:\S+\/sign-in#\S+/.exec(stdout)![0]);
    await open(SETTINGS, viewer);
    await viewer.waitForSelector('text=Your session only reads.');
    expect(await viewer.inputValue('[name="suppressed_bots"]')).toBe('AhrefsBot');
    expect(await viewer.isDisabled('[name="alerts_enabled"]')).toBe(true);
    expect(await viewer.locator('text=Save the settings').count()).toBe(0);
    expect(await axeFaults(viewer)).toEqual([]);
    await viewer.close();
  }, 60_000);

  test.each([1_400, 400])('fit into %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 1_000 });
    await open(SETTINGS);
    expect(await overflowOf(page)).toBeLessThanOrEqual(1);
    await page.setViewportSize({ width: 1_400, height: 1_000 });
  });
});

describe.skipIf(executable === null)('exports and reports', () => {
  test('take the window and the filters of the page, and name those that they leave out', async () => {
    await open('exports?period=24h&status=200&bot_family=Google&verified=1');
    expect(await page.textContent('section[aria-label="New export"]')).toContain(
      'Rows of the last 24 hours · status: 200',
    );
    expect(await page.textContent('section[aria-label="New export"] [role="status"]')).toBe(
      'The file does not apply “bot family: Google”, “bots: verified only”. It has more rows.',
    );
    await page.click('text=Make the file');
    await page.waitForSelector('text=The file is being made.');
    const { base_url, website_id } = program.credentials;
    // With the session: the list has the caller's own exports.
    const list = await page.request.get(`${base_url}/public/v1/websites/${website_id}/exports`);
    expect(JSON.parse(((await list.json()) as any).exports[0].filters)).toMatchObject({
      hours: 24,
      status: '200',
    });
  }, 60_000);

  test('a report is at first as long as the window, and at least seven days', async () => {
    await open('exports?period=24h');
    expect(await page.inputValue('[name="period_days"]')).toBe('7');
  }, 60_000);
});

describe.skipIf(executable === null)('a segment without a path', () => {
  test('begins with Alt and a click on the path, and leaves it out everywhere when it is used', async () => {
    await open('pages');
    await page.click('a.path:text-is("/shop/tent")', { modifiers: ['Alt'] });
    await page.waitForSelector('section[aria-label="New segment"]');
    await settled(page);
    expect(await page.inputValue('[name="exclude_rules[0].value"]')).toBe('/shop/tent');
    await page.waitForSelector('text=30 of 40 requests match');
    await page.click('text=Save the segment');
    await page.click('text=Use it now');
    await vi.waitFor(() => expect(new URL(page.url()).searchParams.get('segment')).toMatch(/^seg_/));
    const segment = new URL(page.url()).searchParams.get('segment');
    const summary = (await program.get(`/summary?segment=${segment}`)) as any;
    expect(summary.total_requests).toBe(30);
  }, 60_000);

  test('is a link on the page of the path, and adds to the exclusions of the segment in use', async () => {
    const segment = new URL(page.url()).searchParams.get('segment');
    await open(`pages?path=/blog/hike&segment=${segment}`);
    await page.focus('text=everything without this page');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[name="exclude_rules[1].value"]');
    expect(await page.inputValue('[name="exclude_rules[0].value"]')).toBe('/shop/tent');
    expect(await page.inputValue('[name="exclude_rules[1].value"]')).toBe('/blog/hike');
  }, 60_000);

  test('shows a rule that can never match at its field', async () => {
    await open('exports?tab=segments');
    await page.fill('[name="name"]', 'Blog');
    await page.fill('[name="rules[0].value"]', 'blog?page=2');
    await page.click('text=Save the segment');
    await page.waitForSelector('.field small');
    expect(await page.getAttribute('[name="rules[0].value"]', 'aria-invalid')).toBe('true');
    expect(own.complaints).toEqual([]);
  }, 60_000);
});
