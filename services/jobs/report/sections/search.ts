import { barChart } from '../charts/bar-chart.js';
import { type Block, paragraph, type Section } from '../document.js';
import type { ReportData } from '../report-data.js';
import { column, duration, nameText, pathText, percent, shareOf, table, whole } from '../texts.js';

const MOST_CRAWLERS = 12;
const MOST_ROWS = 12;
const TOO_MUCH = 'There is more of it than could be read for this report.';

export function search(data: ReportData): Section {
  const { seo, crawl } = data;
  const blocks: Block[] = [
    {
      kind: 'figures',
      figures: [
        {
          label: 'Requests of search crawlers',
          value: whole(seo.crawler_requests),
          note: `${whole(seo.verified_requests)} proved, ${whole(seo.unproved_requests)} not proved`,
        },
        {
          label: 'Not found',
          value: percent(shareOf(crawl.notFound, crawl.requests)),
          note: `${whole(crawl.notFound)} requests`,
        },
        {
          label: 'Server errors',
          value: percent(shareOf(crawl.serverErrors, crawl.requests)),
          note: `${whole(crawl.serverErrors)} requests`,
        },
        {
          label: 'Mean answer time',
          value: crawl.meanMs === null ? 'not logged' : duration(crawl.meanMs),
          note: 'to search crawlers',
        },
      ],
    },
  ];
  if (seo.crawler_requests === 0) {
    blocks.push(paragraph('No search crawler came in the period.'));
    return { id: 'search', title: 'Search crawlers', blocks };
  }
  blocks.push(paragraph(basisText(data)));
  const crawlers = seo.top_crawlers.filter(({ requests }) => requests > 0).slice(0, MOST_CRAWLERS);
  blocks.push(
    {
      kind: 'chart',
      caption: 'Requests by search crawler',
      alt: crawlers.map(({ bot_name, requests }) => `${nameText(bot_name)}: ${whole(requests)}`).join('; '),
      svg: barChart(
        'Requests by search crawler',
        crawlers.map(({ bot_name, requests, share_pct }) => ({
          name: nameText(bot_name),
          value: requests,
          note: percent(share_pct),
        })),
      ),
    },
    table(
      'What search crawlers were answered',
      ['Crawler', 'Requests', 'Not proved', '2xx', '3xx', '4xx', '5xx', 'Mean time'].map((title, index) =>
        column(title, index === 0 ? 'text' : 'number'),
      ),
      crawlers.map((each) => [
        nameText(each.bot_name),
        whole(each.requests),
        whole(each.unproved_requests),
        ...[each.status_2xx, each.status_3xx, each.status_4xx, each.status_5xx].map(whole),
        each.avg_response_time_ms === null ? '' : duration(each.avg_response_time_ms),
      ]),
    ),
    ...budget(data),
  );
  return { id: 'search', title: 'Search crawlers', blocks };
}

/** Which requests the section rests on. */
function basisText({ seo, crawl }: ReportData): string {
  if (crawl.basis === 'unproved')
    return 'No request is proved to be of a search crawler. All figures of this section are of requests that claim to be of one, which anyone can make.';
  return seo.unproved_requests === 0
    ? 'All of these requests are proved to be of the crawlers.'
    : 'Errors, the answer time and the kinds of pages are those of proved requests. The tables of crawlers and of pages count claims that are not proved, too; a column says how many.';
}

/** Where the crawling goes. */
function budget({ patterns, budget: pages }: ReportData): Block[] {
  const byPattern =
    patterns === null
      ? paragraph(`Kinds of pages: ${TOO_MUCH}`)
      : table(
          'Kinds of pages by crawling',
          [
            column('Pattern', 'path'),
            column('URLs', 'number'),
            column('Requests', 'number'),
            column('Share', 'number'),
          ],
          patterns.patterns
            .slice(0, MOST_ROWS)
            .map(({ pattern, unique_urls, total_requests, pct_of_crawl }) => [
              pathText(pattern),
              unique_urls === null ? '–' : whole(unique_urls),
              whole(total_requests),
              percent(pct_of_crawl),
            ]),
        );
  const byPage =
    pages === null
      ? paragraph(`Pages: ${TOO_MUCH}`)
      : table(
          'Pages that search crawlers fetched most',
          [
            column('Page', 'path'),
            column('Requests', 'number'),
            column('Not proved', 'number'),
            column('A day', 'number'),
            column('Share', 'number'),
          ],
          pages.urls
            .slice(0, MOST_ROWS)
            .map(({ path, requests, unproved_requests, daily_avg, percentage }) => [
              pathText(path),
              whole(requests),
              whole(unproved_requests),
              daily_avg.toLocaleString('en-GB', { maximumFractionDigits: 1 }),
              percent(percentage),
            ]),
        );
  return [byPattern, byPage];
}
