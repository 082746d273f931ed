import { type Command, InvalidArgumentError } from 'commander';
import { addCrawlUpload, type CrawlUploadContext } from './crawl-upload.js';
import { addList } from './instance/command-context.js';

interface Given {
  readonly auto?: boolean;
  readonly maxPages?: number;
  readonly queryKeys?: readonly string[];
  readonly renderJs?: boolean;
}

/** `crawl`: crawls of websites, and the crawl settings of each website (docs/crawls-and-checks.md). */
export function addCrawls(program: Command, context: CrawlUploadContext): void {
  const { print } = context;
  const crawls = program.command('crawl').description('manages crawls of websites');
  crawls
    .command('run')
    .description('requests a crawl')
    .argument('<website>', 'id')
    .option('--max-pages <pages>', 'most pages to fetch (default: the setting of the website)', numberOf)
    .option('--seed <url...>', 'further start URLs')
    .action(async (websiteId: string, { maxPages, seed }: { maxPages?: number; seed?: string[] }) => {
      const asked = await context.run({
        ...{ type: 'requestCrawl', websiteId, trigger: 'admin', seeds: seed ?? [] },
        ...(maxPages === undefined ? {} : { maxPages }),
      });
      print(`${asked.id} is ${asked.status}: at most ${asked.maxPages} pages`);
    });
  addCrawlUpload(crawls, context);
  addList(crawls, context, 'crawls', 'website').description('lists the newest crawls of each website');
  crawls
    .command('cancel')
    .description('cancels a waiting or running crawl')
    .argument('<website>', 'id')
    .argument('<crawl>', 'id')
    .action(async (websiteId: string, crawlId: string) => {
      const { id, status } = await context.run({ type: 'cancelCrawl', websiteId, crawlId });
      print(`${id} is ${status}`);
    });
  crawls
    .command('settings')
    .description('changes the crawl settings from the next crawl on; without an option, shows them')
    .argument('<website>', 'id')
    .option('--auto', 'crawl automatically once a week')
    .option('--no-auto', 'crawl only on request')
    .option('--max-pages <pages>', 'most pages per crawl, unless the request sets a number', numberOf)
    .option('--query-keys <names>', 'query parameters that distinguish pages, separated by commas', namesOf)
    .option('--render-js', 'run the scripts of pages before reading them (needs CRAWLER_BROWSER)')
    .option('--no-render-js', 'read pages without running scripts')
    .action(async (websiteId: string, { auto, maxPages, queryKeys, renderJs }: Given) => {
      const set = await context.run({
        ...{ type: 'changeCrawlSettings', websiteId },
        ...(auto === undefined ? {} : { autoCrawl: auto }),
        ...(maxPages === undefined ? {} : { autoCrawlMaxPages: maxPages }),
        ...(queryKeys === undefined ? {} : { queryKeys: [...queryKeys] }),
        ...(renderJs === undefined ? {} : { renderJs }),
      });
      const keys = set.queryKeys.length === 0 ? 'none' : set.queryKeys.join(', ');
      print(
        `${set.id}: ${set.autoCrawl ? 'once a week' : 'on request'}, ${set.autoCrawlMaxPages} pages${set.renderJs ? ' after their scripts' : ''}, query parameters that distinguish pages: ${keys}`,
      );
    });
}

function numberOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('expected a number of pages');
  return Number(text);
}

const namesOf = (text: string) => text.split(',').filter((name) => name.trim() !== '');
