import { expect, it } from 'vitest';
import { DAY_MS } from '../../shared/durations.js';
import { inForceDuring, versionsInForce } from '../../shared/robots/versions-in-force.js';
import type { GivenRobots, GivenSitemaps } from '../admin/server/site-files.js';
import { putSiteFiles } from './put-shop.js';
import { demoWindow } from './traffic/demo-traffic.js';

const end = Date.parse('2026-11-21T08:20:00Z');

async function put(days: number) {
  const demo = { seed: 'put', days, requestsPerDay: 10, end, domain: 'example.com' };
  const posted: [path: string, body: unknown][] = [];
  await putSiteFiles(async (path, body) => posted.push([path, body]), demo, 'web_1');
  const of = <Body>(wanted: string) =>
    posted.filter(([path]) => path === wanted).map(([, body]) => body as Body);
  return {
    robots: of<GivenRobots>('/robots'),
    sitemaps: of<GivenSitemaps>('/sitemaps'),
    window: demoWindow(demo),
  };
}

it.each([0.5, 7, 100])(
  'one robots.txt is in force during all of %d days of traffic, and for a month',
  async (days) => {
    const { robots, window } = await put(days);
    expect(new Set(robots.map(({ websiteId, content }) => `${websiteId} ${content}`)).size).toBe(1);
    const fetches = robots.map(({ fetchedAt }) => {
      return { fetchedAt: Date.parse(fetchedAt!), outcome: 'found', hash: 'a' } as const;
    });
    const versions = versionsInForce(fetches, end + 29 * DAY_MS);
    expect(versions).toEqual([{ hash: 'a', from: window.start - DAY_MS, until: null }]);
    expect(inForceDuring(versions, window)).toEqual([{ hash: 'a', ...window }]);
  },
);

it('the sitemaps are stored before the traffic, and again at its end', async () => {
  const { sitemaps, window } = await put(7);
  expect(sitemaps.map(({ fetchedAt }) => Date.parse(fetchedAt!))).toEqual([window.start - DAY_MS, end]);
  expect(sitemaps[1]!.files).toEqual(sitemaps[0]!.files);
  const [index] = sitemaps[0]!.files;
  expect(index!.name).toBe('sitemap.xml');
  expect(Buffer.from(index!.content, 'base64').toString()).toContain('https://example.com/sitemap-blog.xml');
});
