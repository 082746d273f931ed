import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { robotsJob } from '../../../services/jobs/robots/robots-job.js';
import type { JobWebsite } from '../../../services/jobs/runner/website-job.js';
import { sitemapsJob } from '../../../services/jobs/sitemaps/sitemaps-job.js';
import { createFetcher } from '../../../shared/fetch/fetcher.js';
import { TEST_NOW } from '../api.js';
import { startTestClickHouse } from '../clickhouse.js';
import { expireSitemaps } from '../expiry.js';

/** A web server with sitemaps, the guarded fetcher and the store. */

export const BASE = 'https://www.example.com';

export const pages = (...paths: string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${BASE}${path}</loc><lastmod>2026-11-03</lastmod></url>`).join('')}</urlset>`;
export const index = (...paths: string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${BASE}${path}</loc></sitemap>`).join('')}</sitemapindex>`;

export type SitemapWorld = Awaited<ReturnType<typeof startSitemapWorld>>;

export async function startSitemapWorld() {
  const engine = await startTestClickHouse();
  await expireSitemaps(engine.clickhouse, 'STOP');
  let files: ReadonlyMap<string, string | Buffer | number> = new Map();
  const server = createServer(({ url }, response) => {
    const file = files.get(url!);
    if (file === undefined || typeof file === 'number') response.writeHead(file ?? 404).end();
    else response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    clickhouse: engine.clickhouse,
    /** Sets the server's answers: texts, or statuses. */
    serve(given: ReadonlyMap<string, string | Buffer | number>): void {
      files = given;
    },
    async fetchSitemaps(website: JobWebsite, now: number): Promise<void> {
      const deps = {
        clickhouse: engine.clickhouse,
        fetch: createFetcher({
          userAgent: 'test',
          resolver: { resolve4: async () => [], resolve6: async () => [] },
          loopback: { origins: new Map([[BASE, port]]) },
        }),
        now: () => now,
        logger: pino({ level: 'silent' }),
        planOf: () => ({ listedUrls: 1_000, hourlyApiLimit: 100 }),
        requested: false,
        details: '',
        signal: new AbortController().signal,
      };
      for (const job of [robotsJob, sitemapsJob]) await job.run(website, deps);
    },
    async stop(): Promise<void> {
      server.close();
      await engine.stop();
    },
  };
}

export const own = (id: string): JobWebsite => ({
  id,
  domain: 'www.example.com',
  organisationId: 'org',
  createdAt: new Date(TEST_NOW).toISOString(),
});
