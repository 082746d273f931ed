import { barChart } from '../charts/bar-chart.js';
import { type Block, paragraph, type Section } from '../model/document.js';
import type { ReportData } from '../model/report-data.js';
import { changeNote, column, nameText, pathText, percent, table, whole } from '../model/texts.js';
import { landingTable } from './summary.js';

const MOST_CRAWLERS = 12;
const MOST_PAGES = 10;
const intents = new Map([
  ['training', 'training'],
  ['search', 'search'],
  ['fetcher', 'for a user'],
]);

export function ai({ llms, aiFunnel, aiPages, aiLanding }: ReportData): Section {
  const { totals } = aiFunnel;
  const blocks: Block[] = [
    {
      kind: 'figures',
      figures: [
        {
          label: 'Requests',
          value: whole(llms.total_ai_requests),
          note: changeNote(llms.deltas.total_ai_requests_pct),
        },
        { label: 'Share of all requests', value: percent(llms.ai_percentage), note: '' },
        {
          label: 'Pages served',
          value: whole(llms.unique_pages_crawled),
          note: changeNote(llms.deltas.unique_pages_crawled_pct),
        },
        {
          label: 'Visits from AI assistants',
          value: whole(totals.referrals),
          note: changeNote(totals.deltas.referrals_pct),
        },
      ],
    },
  ];
  const crawlers = llms.crawlers.filter(({ requests }) => requests > 0).slice(0, MOST_CRAWLERS);
  if (crawlers.length === 0) {
    blocks.push(paragraph('No AI crawler sent a request in the period.'), ...visits(aiLanding));
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
    operators(llms.crawlers, aiFunnel),
    paragraph(
      aiPages.basis === 'verified'
        ? 'The pages below are counted by verified requests. The figures above also count requests that are not verified.'
        : 'No request is verified as from an AI crawler. Anyone can send such a user agent.',
    ),
    table(
      'Pages that AI crawlers request most',
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
    ...visits(aiLanding),
  );
  return { id: 'ai', title: 'AI crawlers and assistants', blocks };
}

/** More of the pages than the summary has room for. */
function visits({ pages, error_pages }: ReportData['aiLanding']): Block[] {
  if (pages.length === 0) return [paragraph('No visit from an AI assistant was logged in the period.')];
  return [
    landingTable(pages.slice(0, MOST_PAGES)),
    ...(error_pages.length === 0
      ? []
      : [
          table(
            'Links from AI assistants that led to an error',
            [column('Page', 'path'), column('Landings', 'number')],
            error_pages.slice(0, MOST_PAGES).map(({ path, landings }) => [pathText(path), whole(landings)]),
          ),
        ]),
  ];
}

/** Requests by intent as the crawlers of `llms` have them: `fetches` of the funnel adds two intents, and `citations` leaves some out. */
function operators(crawlers: ReportData['llms']['crawlers'], funnel: ReportData['aiFunnel']): Block {
  const visits = new Map(funnel.operators.map(({ operator, referrals }) => [operator, referrals]));
  const names = new Set([...crawlers.map(({ bot_operator }) => bot_operator), ...visits.keys()]);
  const rows = [...names]
    .filter((name) => name !== '')
    .map((name) => {
      const own = crawlers.filter(({ bot_operator }) => bot_operator === name);
      const requests = [...intents.keys()].map((asked) => sum(own.filter(({ intent }) => intent === asked)));
      return { name, counts: [...requests, visits.get(name) ?? 0], all: sum(own) };
    })
    .filter(({ counts }) => counts.some((count) => count > 0))
    .toSorted((one, other) => other.all - one.all);
  return table(
    'Crawling and visits by operator',
    [
      column('Operator'),
      column('For training', 'number'),
      column('For search', 'number'),
      column('For a user', 'number'),
      column('Visits sent', 'number'),
    ],
    rows.slice(0, MOST_PAGES).map(({ name, counts }) => [nameText(name), ...counts.map(whole)]),
  );
}

const sum = (rows: readonly { readonly requests: number }[]) =>
  rows.reduce((total, { requests }) => total + requests, 0);
