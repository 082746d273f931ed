import { barChart } from '../charts/bar-chart.js';
import { type Block, paragraph, type Section } from '../document.js';
import type { ReportData } from '../report-data.js';
import { change, column, nameText, pathText, percent, table, whole } from '../texts.js';

const MOST_CRAWLERS = 12;
const MOST_PAGES = 10;
const intents = new Map([
  ['training', 'training'],
  ['search', 'answers'],
  ['fetcher', 'for a person'],
]);

export function ai({ llms, aiFunnel, aiPages }: ReportData): Section {
  const { totals } = aiFunnel;
  const blocks: Block[] = [
    {
      kind: 'figures',
      figures: [
        {
          label: 'Requests of AI crawlers',
          value: whole(llms.total_ai_requests),
          note: change(llms.deltas.total_ai_requests_pct),
        },
        { label: 'Of all requests', value: percent(llms.ai_percentage), note: 'their share' },
        {
          label: 'Pages served to them',
          value: whole(llms.unique_pages_crawled),
          note: change(llms.deltas.unique_pages_crawled_pct),
        },
        {
          label: 'Visits from assistants',
          value: whole(totals.referrals),
          note: change(totals.deltas.referrals_pct),
        },
      ],
    },
  ];
  const crawlers = llms.crawlers.filter(({ requests }) => requests > 0).slice(0, MOST_CRAWLERS);
  if (crawlers.length === 0) {
    blocks.push(paragraph('No AI crawler came in the period.'));
    return { id: 'ai', title: 'AI crawlers and assistants', blocks };
  }
  blocks.push(
    {
      kind: 'chart',
      caption: 'Requests by AI crawler',
      alt: crawlers.map(({ bot_name, requests }) => `${nameText(bot_name)}: ${whole(requests)}`).join('; '),
      svg: barChart(
        'Requests by AI crawler',
        crawlers.map(({ bot_name, requests, intent }) => {
          const note = intents.get(intent);
          return { name: nameText(bot_name), value: requests, ...(note === undefined ? {} : { note }) };
        }),
      ),
    },
    operators(aiFunnel),
    paragraph(
      aiPages.basis === 'verified'
        ? 'The pages below are counted by proved requests. The figures above count claims that are not proved, too.'
        : 'No request is proved to be of an AI crawler. The figures are of claims, which anyone can make.',
    ),
    table(
      'Pages that AI crawlers asked for most',
      [
        column('Page', 'path'),
        column('Requests', 'number'),
        column('Crawlers', 'number'),
        column('4xx, 5xx', 'number'),
      ],
      aiPages.pages
        .slice(0, MOST_PAGES)
        .map(({ path, requests, unique_bots, status_4xx, status_5xx }) => [
          pathText(path),
          whole(requests),
          whole(unique_bots),
          whole(status_4xx + status_5xx),
        ]),
    ),
  );
  return { id: 'ai', title: 'AI crawlers and assistants', blocks };
}

function operators({ operators: all }: ReportData['aiFunnel']): Block {
  return table(
    'From reading to visits, by operator',
    [
      column('Operator'),
      column('For training', 'number'),
      column('For answers', 'number'),
      column('For a person', 'number'),
      column('Visits sent', 'number'),
    ],
    all
      .slice(0, MOST_PAGES)
      .map(({ operator, training_requests, fetches, citations, referrals }) => [
        nameText(operator),
        whole(training_requests),
        whole(fetches),
        whole(citations),
        whole(referrals),
      ]),
  );
}
