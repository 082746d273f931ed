import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { type ClickHouse, connectClickHouse } from '../../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../../shared/clickhouse/embedded/start-engine.js';
import { createLogger } from '../../../shared/log.js';
import { auditAgainstSeeds } from '../../crawls/audit-of-site.js';
import { generateSite, type SiteOptions } from '../../harness/site/generate-site.js';
import { countRows, withEngine } from '../engine/with-engine.js';

/**
 * `npm run bench:crawl -- --pages 50000 --links 100`: time and memory of a site crawl as fast as it goes. The crawl, the generated site and the engine have a
 * process each. With `--audit` the site has each fault twenty times, and what the audit finds is held against them.
 */

const MEMORY_BYTES = 700 * 1024 ** 2;

const options = new Command('bench:crawl')
  .option('--pages <n>', 'pages of the generated site', Number, 50_000)
  .option('--links <n>', 'links of each page', Number, 100)
  .option('--audit', 'seed faults and hold the audit against them')
  .option('--new-connections', 'with a connection for each request')
  .parse()
  .opts<{ pages: number; links: number; audit?: boolean; newConnections?: boolean }>();

const siteOptions: SiteOptions = {
  ...{ origin: 'https://shop.example', pages: options.pages, linksPerPage: options.links },
  perFault: options.audit === true ? 20 : 0,
};

const run = (file: string) => ['--import', 'tsx', `test/bench/crawl/${file}`];

/** Each difference is a line: a finding and a page. */
async function tellAudit(clickhouse: ClickHouse): Promise<void> {
  const { faults } = generateSite(siteOptions);
  const crawl = { websiteId: 'shop', crawlId: 'bench' };
  const { found, seeded } = await auditAgainstSeeds(clickhouse, crawl, faults);
  const only = (these: readonly string[], those: readonly string[]) => {
    const others = new Set(those);
    return these.filter((one) => !others.has(one));
  };
  const missed = only(seeded, found);
  const unseeded = only(found, seeded);
  console.log(
    `audit: ${seeded.length} faults seeded, ${missed.length} missed, ${unseeded.length} told that were not seeded`,
  );
  for (const line of missed) console.log(`missed: ${line}`);
  for (const line of unseeded) console.log(`not seeded: ${line}`);
}

const folder = await mkdtemp(join(tmpdir(), 'loglane-bench-crawl-'));
const site = spawn(process.execPath, [...run('serve-site.ts'), JSON.stringify(siteOptions)], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
try {
  const [told] = (await once(site.stdout, 'data')) as [Buffer];
  await withEngine(folder, async () => {});
  const engine = await startEmbeddedClickHouse({
    ...{ directory: folder, maxMemoryBytes: MEMORY_BYTES },
    logger: createLogger('error', 'bench'),
  });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: MEMORY_BYTES });
  try {
    const wanted = { ...options, engineUrl: engine.url, maxMemoryBytes: MEMORY_BYTES, port: Number(told) };
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...run('crawl-once.ts'),
      JSON.stringify(wanted),
    ]);
    console.log(stdout.trim());
    console.log(`crawl_pages ${await countRows(clickhouse, 'crawl_pages FINAL')} rows`);
    console.log(`crawl_links ${await countRows(clickhouse, 'crawl_links FINAL')} rows`);
    if (options.audit === true) await tellAudit(clickhouse);
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
} finally {
  site.kill();
  await rm(folder, { recursive: true, force: true });
}
