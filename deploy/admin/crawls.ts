import { type Command, InvalidArgumentError } from 'commander';
import { addCrawlUpload, type CrawlUploadSession } from './crawl-upload.js';
import { addList } from './instance/session.js';

interface Given {
  readonly auto?: boolean;
  readonly maxPages?: number;
  readonly queryKeys?: readonly string[];
  readonly renderJs?: boolean;
}

/** `crawl`: crawls of websites, and how each website is crawled (docs/crawls-and-checks.md). */
export function addCrawls(program: Command, session: CrawlUploadSession): void {
  const { print } = session;
  const crawls = program.command('crawl').description('crawls of websites');
  crawls
    .command('run')
    .description('asks for a crawl')
    .argument('<website>', 'id')
    .option('--max-pages <pages>', 'pages that it fetches at most; default as the website is set', numberOf)
    .option('--seed <url...>', 'further URLs that it begins with')
    .action(async (websiteId: string, { maxPages, seed }: { maxPages?: number; seed?: string[] }) => {
      const asked = await session.run({
        ...{ type: 'requestCrawl', websiteId, trigger: 'admin', seeds: seed ?? [] },
        ...(maxPages === undefined ? {} : { maxPages }),
      });
      print(`${asked.id} is ${asked.status}: at most ${asked.maxPages} pages`);
    });
  addCrawlUpload(crawls, session);
  addList(crawls, session, 'crawls', 'website').description('the newest of each website');
  crawls
    .command('cancel')
    .description('ends one that waits or is under way')
    .argument('<website>', 'id')
    .argument('<crawl>', 'id')
    .action(async (websiteId: string, crawlId: string) => {
      const { id, status } = await session.run({ type: 'cancelCrawl', websiteId, crawlId });
      print(`${id} is ${status}`);
    });
  crawls
    .command('settings')
    .description('how a website is crawled, from its next crawl on; without an option: what counts')
    .argument('<website>', 'id')
    .option('--auto', 'once a week by itself')
    .option('--no-auto', 'only when somebody asks')
    .option('--max-pages <pages>', 'pages of a crawl that does not say how many', numberOf)
    .option('--query-keys <names>', 'query parameters that make a page of their own, with commas', namesOf)
    .option('--render-js', 'scripts of its pages run before they are read (CRAWLER_BROWSER)')
    .option('--no-render-js', 'pages are read as they are sent')
    .action(async (websiteId: string, { auto, maxPages, queryKeys, renderJs }: Given) => {
      const set = await session.run({
        ...{ type: 'changeCrawlSettings', websiteId },
        ...(auto === undefined ? {} : { autoCrawl: auto }),
        ...(maxPages === undefined ? {} : { autoCrawlMaxPages: maxPages }),
        ...(queryKeys === undefined ? {} : { queryKeys: [...queryKeys] }),
        ...(renderJs === undefined ? {} : { renderJs }),
      });
      const keys = set.queryKeys.length === 0 ? 'none' : set.queryKeys.join(', ');
      print(
        `${set.id}: ${set.autoCrawl ? 'once a week' : 'when asked'}, ${set.autoCrawlMaxPages} pages${set.renderJs ? ' after their scripts' : ''}, query parameters that count: ${keys}`,
      );
    });
}

function numberOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('a number of pages');
  return Number(text);
}

const namesOf = (text: string) => text.split(',').filter((name) => name.trim() !== '');
