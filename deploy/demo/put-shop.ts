import { Readable } from 'node:stream';
import type {
  AnswerTo,
  CommandName,
  Command as ControlCommand,
} from '../../shared/control/decide/commands.js';
import { DAY_MS } from '../../shared/durations.js';
import type { FileStore } from '../../shared/files/file-store.js';
import { SAVED_COPY_MS } from '../../shared/robots/versions-in-force.js';
import { uploadCrawl } from '../admin/crawl-upload.js';
import type { GivenRobots, GivenSitemaps } from '../admin/server/site-files.js';
import { crawlOfShop } from './traffic/crawl-of-shop.js';
import { type DemoOptions, demoWindow } from './traffic/demo-traffic.js';
import { searchResults } from './traffic/search-results.js';
import { robotsTxt, sitemapFiles } from './traffic/site-files.js';
import type { WebAnalytics } from './traffic/web-analytics.js';

/** Stores data that no service can fetch, since the shop does not exist. It uses the operator's commands. */

/** Sends one of the operator's commands. */
export type Post = (path: string, body: unknown) => Promise<unknown>;

/**
 * Stores robots.txt and sitemaps. Their first time is the day before the shop's traffic, so they are in force during the traffic. The last
 * time is now, so they stay in force for a month of failing fetches.
 * @throws errors of `post`.
 */
export async function putSiteFiles(post: Post, demo: DemoOptions, websiteId: string): Promise<void> {
  const { start, end } = demoWindow(demo);
  const toIso = (at: number) => new Date(at).toISOString();
  const toBase64 = (text: string) => Buffer.from(text).toString('base64');
  const content = toBase64(robotsTxt(demo.domain));
  // The times are so close that one version is in force from the first to the last.
  for (let at = start - DAY_MS; at < end; at += SAVED_COPY_MS / 2)
    await post('/robots', { websiteId, fetchedAt: toIso(at), content } satisfies GivenRobots);
  await post('/robots', { websiteId, fetchedAt: toIso(end), content } satisfies GivenRobots);
  const files = sitemapFiles(demo).map(({ name, text }) => ({ name, content: toBase64(text) }));
  for (const at of [start - DAY_MS, end])
    await post('/sitemaps', { websiteId, fetchedAt: toIso(at), files } satisfies GivenSitemaps);
}

/** Stores connections to a search engine and web analytics, with recorded data. @throws errors of `post`. */
export async function putConnections(
  post: Post,
  demo: DemoOptions,
  websiteId: string,
  analytics: WebAnalytics,
): Promise<void> {
  const connect = (connection: { kind: string; property: string; propertyName?: string }) =>
    post('/connections', { websiteId, ...connection, credential: { type: 'recorded' } });
  await connect({ kind: 'google-search-console', property: `sc-domain:${demo.domain}` });
  for (const recorded of searchResults(demo, websiteId)) await post('/recorded-search', recorded);
  await connect({ kind: 'google-analytics', property: '123456789', propertyName: 'Example Outdoor' });
  for (const day of analytics.days(websiteId)) await post('/recorded-analytics', day);
}

/** Uploads a crawl of the shop, as `npm run admin -- crawl upload` does. @throws errors of `post` and the store */
export async function putCrawl(
  post: Post,
  store: FileStore,
  demo: DemoOptions,
  websiteId: string,
): Promise<void> {
  const run = async <Name extends CommandName>(command: ControlCommand<Name>) =>
    ((await post('/commands', command)) as { answer: AnswerTo<Name> }).answer;
  const { pages, links } = crawlOfShop(demo);
  const bytesOf = (csv: string) => Readable.from(Buffer.from(csv), { objectMode: false });
  await uploadCrawl(
    { run, store },
    {
      ...{ websiteId, filename: `crawl-of-${demo.domain}.csv` },
      ...{ pages: () => bytesOf(pages), links: () => bytesOf(links) },
    },
  );
}
