import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { SiteOptions } from '../../harness/site/generate-site.js';
import { countRows, startEngine } from '../engine/with-engine.js';
import { namedLine } from '../print/table.js';
import { figure } from '../statistics.js';
import type { CrawlFigures, CrawlWanted } from './crawl-once.js';

/**
 * Time and memory of a site crawl at full speed. The crawl, the generated site and the engine each have a
 * process.
 */

const MEMORY_BYTES = 700 * 1024 ** 2;

export interface CrawlResult extends CrawlFigures {
  /** Stored pages. */
  readonly pages: number;
  readonly links: number;
}

/** @param folder for this measurement only */
export async function measureCrawl(
  folder: string,
  { pages, links }: { readonly pages: number; readonly links: number },
): Promise<CrawlResult> {
  const site: SiteOptions = { origin: 'https://shop.example', pages, linksPerPage: links, perFault: 0 };
  const run = (file: string, options: SiteOptions | CrawlWanted) => [
    ...['--import', 'tsx', `test/bench/crawl/${file}`, JSON.stringify(options)],
  ];
  const server = spawn(process.execPath, run('serve-site.ts', site), { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const { clickhouse, url: engineUrl, stop } = await startEngine(folder, MEMORY_BYTES);
    try {
      const wanted = { engineUrl, maxMemoryBytes: MEMORY_BYTES, port: Number(port) };
      const { stdout } = await promisify(execFile)(process.execPath, run('crawl-once.ts', wanted));
      return {
        ...(JSON.parse(stdout) as CrawlFigures),
        pages: await countRows(clickhouse, 'crawl_pages FINAL'),
        links: await countRows(clickhouse, 'crawl_links FINAL'),
      };
    } finally {
      await stop();
    }
  } finally {
    server.kill();
  }
}

export function crawlLines({ outcome, seconds, pages, links, idleMiB, mostMiB }: CrawlResult): string[] {
  return [
    namedLine(`crawl (${outcome}), pages/s`, figure(pages / seconds)),
    namedLine('  pages, rows of links, seconds', [pages, links, seconds].map(figure).join(', ')),
    namedLine('  memory of the crawl, MiB; before it', `${figure(mostMiB)}; ${figure(idleMiB)}`),
  ];
}
