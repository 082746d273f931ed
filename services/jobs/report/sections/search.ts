import { barChart } from '../charts/bar-chart.js';
import { type Block, paragraph, type Section } from '../model/document.js';
import type { ReportData } from '../model/report-data.js';
import { column, duration, nameText, pathText, percent, shareOf, table, whole } from '../model/texts.js';

const MOST_CRAWLERS = 12;
const MOST_ROWS = 12;
const TOO_MUCH = 'there is too much data for one report.';

export function search(data: ReportData): Section {
  const { seo, crawl } = data;
  const blocks: Block[] = [
    {
      kind: 'figures',
      figures: [
        {
          label: 'Requests',
          value: whole(seo.crawler_requests),
          note: `${whole(seo.verified_requests)} verified`,
        },
        {
          label: 'Not found',
          value: percent(shareOf(crawl.notFound, crawl.requests)),
          note: `${whole(crawl.notFound)} requests (404)`,
        },
        {
          label: 'Server errors',
          value: percent(shareOf(crawl.serverErrors, crawl.requests)),
          note: `${whole(crawl.serverErrors)} requests (5xx)`,
        },
        {
          label: 'Average response time',
          value: crawl.meanMs === null ? 'not logged' : duration(crawl.meanMs),
          note: 'for search crawlers',
        },
      ],
    },
  ];
  if (seo.crawler_requests === 0) {
    blocks.push(paragraph('No search crawler sent a request in the period.'));
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
      'Responses to search crawlers',
      ['Crawler', 'Requests', 'Unverified', '2xx', '3xx', '4xx', '5xx', 'Average'].map((title, index) =>
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

/** The requests on which the section depends. */
function basisText({ seo, crawl }: ReportData): string {
  if (crawl.basis === 'unproved')
    return 'No request is verified as from a search crawler. All figures of this section count unverified requests, and anyone can send such a user agent.';
  return seo.unproved_requests === 0
    ? 'All of these requests are verified.'
    : 'Errors, response times and groups of pages count verified requests only. The tables of crawlers and of pages also count unverified requests, which have a column of their own.';
}

/** The distribution of crawling over pages. */
function budget({ patterns, budget: pages }: ReportData): Block[] {
  const byPattern =
    patterns === null
      ? paragraph(`Groups of pages: ${TOO_MUCH}`)
      : table(
          'Groups of pages by crawling',
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
              whole(unique_urls),
              whole(total_requests),
              percent(pct_of_crawl),
            ]),
        );
  const byPage =
    pages === null
      ? paragraph(`Pages: ${TOO_MUCH}`)
      : table(
          'URLs that search crawlers request most',
          [
            column('Page', 'path'),
            column('Requests', 'number'),
            column('Unverified', 'number'),
            column('Per day', 'number'),
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
