import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { builtCommandLine } from '../harness/built-command-line.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** The demo as a new user runs it, and the findings that it must show. */

let dataDir: string;
let program: Standalone;
let printed: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-demo-'));
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
  const words = ['demo', '--days', '2', '--requests-per-day', '15000'];
  const { stdout } = await promisify(execFile)(await builtCommandLine(), words, {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  printed = stdout;
});
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const read = (path: string) => program.get(path) as Promise<any>;
const WINDOW = 'hours=48';

describe('the demo shows', () => {
  test('that all of its data was stored', () => {
    expect(printed).toContain(', rejected 0,');
    expect(printed).toContain(
      "Stored the shop's robots.txt, sitemaps, search results, web analytics and a crawl, and 96 crawler requests of earlier months.",
    );
  });

  test('that a second run is refused, as its requests would mix with others', async () => {
    const again = promisify(execFile)(await builtCommandLine(), ['demo'], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
    await expect(again).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('--add') });
  });

  test('a text about the week, with the figures of the reads', async () => {
    const [insight] = await vi.waitUntil(
      async () => {
        const { insights } = await read('/insights');
        return insights.length > 0 ? insights : null;
      },
      { timeout: 60_000, interval: 500 },
    );
    const [start, end] = insight.period.split('/');
    const summary = await read(`/summary?start=${start}&end=${end}`);
    expect(insight.content).toContain(`of ${summary.total_requests.toLocaleString('en-US')} requests`);
    const { bots } = await read(`/bots/access?start=${start}&end=${end}`);
    const refused = bots.find(
      ({ bot_category, real_crawler }: { bot_category: string; real_crawler: string }) =>
        bot_category === 'ai' && ['shut_out', 'inverted'].includes(real_crawler),
    );
    // A crawler with bursts may be missing in the hours of the text.
    if (refused === undefined) expect(insight.content).not.toContain('was turned away');
    else expect(insight.content).toContain(`\`${refused.bot_name}\` was turned away`);
  });

  test('robots violations of verified crawlers, by a robots.txt that was in force for all of the traffic', async () => {
    const answer = await read(`/seo/robots?${WINDOW}`);
    expect(answer).toMatchObject({ status: 'found', domain: 'example.com', violations_complete: true });
    expect(Date.parse(answer.judged_since)).toBe(Date.parse(answer.window.start));
    expect(Object.keys(answer.violation_summary).sort()).toEqual(['CCBot', 'meta-externalagent']);
    for (const { path, rule, requests } of answer.violations) {
      expect([path.startsWith('/blog/'), rule]).toEqual([true, 'Disallow: /blog/']);
      expect(requests).toBeGreaterThan(0);
    }
  });

  test('a sitemap with pages that are stale, never crawled and crawled, and pages that it leaves out', async () => {
    const stale = await vi.waitUntil(
      async () => {
        const answer = await read('/seo/sitemap?status=stale');
        return answer.total === 24 ? answer : null;
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(stale).toMatchObject({ available: true, snapshot: { fetch_complete: true, files: 5 } });
    for (const { path } of stale.urls) expect(path).toMatch(/^\/lookbook\/202[56]-/);
    const { never_crawled, recently_crawled, not_in_sitemap, all } = stale.totals;
    expect(never_crawled + recently_crawled + 24).toBe(all);
    for (const pages of [never_crawled, recently_crawled, not_in_sitemap]) expect(pages).toBeGreaterThan(7);
    const unlisted = await read('/seo/sitemap?status=not_in_sitemap&page_size=500');
    expect(unlisted.urls.map(({ path }: { path: string }) => path)).toContainEqual(
      expect.stringMatching(/^\/hire\/calendar\//),
    );
  });

  test('a wasted section, a broken template, undeclared agents, unknown bots, and the page that assistants send people to', async () => {
    const { patterns } = await read(`/seo/url-patterns?${WINDOW}`);
    expect(JSON.stringify(patterns)).toContain('/hire/calendar/');
    const consistency = await read(`/seo/status-consistency?${WINDOW}&min_requests=2`);
    expect(JSON.stringify(consistency)).toContain('/hire/');
    const summary = await read(`/summary?${WINDOW}`);
    expect(summary.undeclared_agent_requests).toBeGreaterThan(0);
    const unknown = await read(`/bots/unknown?${WINDOW}`);
    expect(unknown.bots.map(({ bot_name }: { bot_name: string }) => bot_name)).toContain('ShelfScout');
    const landing = await read(`/ai-landing?${WINDOW}&limit=5`);
    expect(JSON.stringify(landing)).toContain('/blog/water-filters-compared-alps');
  });

  test('a crawl of the shop with pages that crawlers ignore, pages that nothing links to, faults, and ranks', async () => {
    const report = await vi.waitUntil(
      async () => {
        const answer = await read(`/crawl-report?${WINDOW}&limit=1000`);
        return answer.available ? answer : null;
      },
      { timeout: 60_000, interval: 500 },
    );
    const { summary, by_depth } = report;
    expect(summary.pages_in_crawl).toBeGreaterThan(5_500);
    for (const of of ['active', 'ignored', 'orphans']) expect(summary[of]).toBeGreaterThan(20);
    expect(by_depth.reduce((sum: number, { pages }: { pages: number }) => sum + pages, 0)).toBe(
      summary.indexable_pages,
    );
    const orphans = report.orphans.map(({ path }: { path: string }) => path);
    expect(orphans).toContainEqual(expect.stringMatching(/^\/hire\/calendar\//));
    const { findings } = await read(`/crawl-audit?${WINDOW}&limit=5`);
    expect(findings.map(({ key }: { key: string }) => key)).toEqual(
      expect.arrayContaining(['broken_links', 'redirect_chains', 'robots_blocked', 'duplicate_titles']),
    );
    expect(findings.length).toBeGreaterThan(13);
    const { nodes, edges } = await read(`/crawl-links?${WINDOW}&limit=50`);
    expect(nodes[0].pagerank).toBe(1);
    expect(nodes).toContainEqual(expect.objectContaining({ path: '/', depth: 0 }));
    expect(edges.length).toBeGreaterThan(50);
    const { crawl } = await read(`/url?${WINDOW}&path=/blog`);
    expect(crawl).toMatchObject({ in_crawl: true, status: 200, indexable: true });
  });

  test('web analytics of the logged people: fewer than in the logs, from search engines and assistants', async () => {
    const overview = await read('/ga/overview?hours=24');
    expect(overview).toMatchObject({ available: true, property_name: 'Example Outdoor', currency: 'EUR' });
    const { totals, measurement_gap, sources, ai_sources } = overview;
    expect(totals.sessions).toBeGreaterThan(100);
    expect(totals.pageviews).toBeGreaterThan(totals.sessions);
    expect(measurement_gap).toMatchObject({ available: true, days_compared: 1 });
    expect(measurement_gap.unmeasured_pct).toBeGreaterThan(5);
    expect(measurement_gap.unmeasured_pct).toBeLessThan(25);
    expect(sources).toContainEqual(expect.objectContaining({ source: 'google', medium: 'organic' }));
    expect(ai_sources).toContainEqual(expect.objectContaining({ operator: 'OpenAI' }));
    const { pages } = await read('/ga/pages?hours=24&limit=20');
    expect(pages).toHaveLength(20);
    const { analytics } = await read(`/url?${WINDOW}&path=${pages[0].path}`);
    expect(analytics).toMatchObject({ available: true, sessions: pages[0].sessions });
  });
});
