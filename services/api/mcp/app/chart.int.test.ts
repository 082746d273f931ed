import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../../test/harness/chromium.js';
import { readChartPage } from './read-chart-page.js';

/** The page of the chart in a browser, inside a page that plays the host of MCP Apps. */

const executable = findChromium();
let browser: Browser;
const requests: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  if (executable !== null)
    browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

const series = {
  notes: ['A note.'],
  window: { start: '2026-11-14T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z' },
  coverage: {},
  columns: ['time', 'human_requests', 'ai_bot_requests', 'avg_time_ms'],
  rows: Array.from({ length: 7 }, (_, at) => [
    `2026-11-${14 + at}T00:00:00.000Z`,
    100 + at * 10,
    20 + at,
    45.5,
  ]),
  next_cursor: null,
  console_url: 'https://api.example/?site=web_1',
};

const hostile = {
  ...series,
  window: null,
  columns: ['path', 'requests', 'share_pct'],
  rows: [
    ['/<img src=x onerror="parent.broken=1">', 12, 60],
    ['</script><script>parent.broken=1</script>', 8, 40],
  ],
};

const metrics = {
  ...series,
  columns: ['metric', 'value'],
  rows: [
    ['total_requests', 5],
    ['p95_time_ms', 343],
  ],
};

/** Opens the page in a sandboxed frame and plays the host: answers `ui/initialize`, then sends the result. */
async function open(structuredContent: object, theme: 'light' | 'dark', isError = false): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 760, height: 600 }, colorScheme: 'light' });
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.setContent('<iframe sandbox="allow-scripts" style="width:740px;height:560px"></iframe>');
  await page.evaluate(
    ({ html, result, theme }) => {
      const window = globalThis as any;
      const frame = window.document.querySelector('iframe');
      window.seen = [];
      window.addEventListener('message', ({ data, source }: any) => {
        if (source !== frame.contentWindow) return;
        window.seen.push(data);
        const send = (message: object) => source.postMessage({ jsonrpc: '2.0', ...message }, '*');
        if (data.method === 'ui/initialize')
          send({ id: data.id, result: { protocolVersion: '2026-01-26', hostContext: { theme } } });
        if (data.method === 'ui/notifications/initialized') {
          send({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
          send({ method: 'ui/notifications/tool-result', params: result });
        }
        if (data.method === 'ui/open-link') send({ id: data.id, result: {} });
      });
      frame.srcdoc = html;
    },
    { html: readChartPage(), result: { content: [], structuredContent, isError }, theme },
  );
  return page;
}

describe.skipIf(executable === null)('the chart', () => {
  it('has at most 15 KB and names no other address', () => {
    expect(Buffer.byteLength(readChartPage())).toBeLessThanOrEqual(15 * 1024);
    expect(readChartPage().replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:\/\/[a-z]|@import|src=/,
    );
  });

  it.each(['light', 'dark'] as const)('draws a line in %s', async (theme) => {
    const page = await open(series, theme);
    const frame = page.frameLocator('iframe');
    await frame.locator('path.series').first().waitFor();
    expect(await frame.locator('path.series').count()).toBe(2);
    expect(await frame.locator('path.series').first().getAttribute('d')).toMatch(
      /^M[\d.]+ [\d.]+(L[\d.]+ [\d.]+){6}$/,
    );
    expect(await frame.locator('.legend').textContent()).toContain('ai_bot_requests');
    expect(await frame.locator('main').textContent()).toContain('A note.');
    const background = await frame
      .locator('body')
      .evaluate((body: any) => (globalThis as any).getComputedStyle(body).backgroundColor);
    expect(background).toBe(theme === 'dark' ? 'rgb(22, 25, 29)' : 'rgb(255, 255, 255)');
    const methods = await page.evaluate(() => (globalThis as any).seen.map(({ method }: any) => method));
    expect(methods).toEqual(
      expect.arrayContaining([
        'ui/initialize',
        'ui/notifications/initialized',
        'ui/notifications/size-changed',
      ]),
    );
    await frame.getByRole('button', { name: 'Open in the console' }).click();
    await expect
      .poll(() => page.evaluate(() => (globalThis as any).seen.at(-1)?.params?.url))
      .toBe(series.console_url);
    await frame.getByRole('button', { name: 'table' }).click();
    expect(await frame.locator('tbody tr').count()).toBe(7);
    await page.close();
  });

  it('draws no hour or day that the window cuts', async () => {
    const columns = [...series.columns, 'partial'];
    const rows = series.rows.map((row, at) => [...row, at === 0 || at === 6]);
    const page = await open({ ...series, columns, rows }, 'light');
    const line = page.frameLocator('iframe').locator('path.series').first();
    await line.waitFor();
    expect(await line.getAttribute('d')).toMatch(/^M[\d.]+ [\d.]+(L[\d.]+ [\d.]+){4}$/);
    await page.close();
  });

  it('draws bars of hostile names as text', async () => {
    const page = await open(hostile, 'light');
    const frame = page.frameLocator('iframe');
    await frame.locator('rect.bar').first().waitFor();
    expect(await frame.locator('rect.bar').count()).toBe(2);
    const widths = await frame
      .locator('rect.bar')
      .evaluateAll((bars) => bars.map((bar: any) => Number(bar.getAttribute('width'))));
    expect(widths[1]! / widths[0]!).toBeCloseTo(8 / 12);
    expect(await frame.locator('main').textContent()).toContain('<img src=x');
    await frame.getByRole('button', { name: 'table' }).click();
    expect(await frame.locator('img').count()).toBe(0);
    expect(await frame.locator('td').nth(3).textContent()).toContain('</script>');
    expect(await page.evaluate(() => (globalThis as any).broken)).toBeUndefined();
    await page.close();
  });

  it('shows metrics as a table, and says that a call was refused', async () => {
    const page = await open(metrics, 'light');
    await page.frameLocator('iframe').locator('tbody tr').first().waitFor();
    expect(await page.frameLocator('iframe').locator('button', { hasText: 'bars' }).count()).toBe(0);
    await page.close();
    const refused = await open({ notes: [] }, 'light', true);
    await expect
      .poll(() => refused.frameLocator('iframe').locator('main').textContent())
      .toContain('refused');
    await refused.close();
  });

  it('loaded nothing, and broke nothing', () => {
    expect(requests.filter((url) => /^https?:/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
