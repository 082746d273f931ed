import { changePct } from '../../../../shared/reads/answer/figures.js';
import { previousWindow } from '../../../../shared/reads/sql/scope.js';
import { type Block, paragraph, type Section } from '../model/document.js';
import { type Finding, levelOf } from '../model/finding.js';
import type { ReportData } from '../model/report-data.js';
import {
  change,
  column,
  counted,
  dayText,
  duration,
  nameText,
  pathText,
  percent,
  shareOf,
  table,
  whole,
} from '../model/texts.js';
import { notReached } from './checks.js';
import { loggedDays } from './logged-days.js';

const MOST_FINDINGS = 5;
const MOST_FLIPS = 6;
const MOST_PAGES = 5;
const MOST_SENDERS = 3;

/** The first page: the state, the changes, and the most important findings. */
export function summary(data: ReportData, findings: readonly Finding[]): Section {
  return {
    id: 'summary',
    title: 'Summary',
    blocks: [
      ...keyFigures(data),
      ...daysOf(data),
      ...firstFindings(findings),
      ...notReached(data),
      ...changes(data),
      ...landingPages(data),
    ],
  };
}

function keyFigures({ summary: totals, seo, aiFunnel }: ReportData): Block[] {
  const { total_requests: all } = totals;
  return [
    {
      kind: 'figures',
      figures: [
        {
          label: 'Requests',
          value: whole(all),
          note: `${percent(shareOf(totals.human_requests, all))} from people`,
        },
        {
          label: 'From search crawlers',
          value: whole(totals.search_bot_requests),
          note: `${whole(seo.verified_requests)} verified`,
        },
        {
          label: 'From AI crawlers',
          value: whole(totals.ai_bot_requests),
          note: `${percent(shareOf(totals.ai_bot_requests, all))} of all requests`,
        },
        {
          label: 'Visits from AI assistants',
          value: whole(aiFunnel.totals.referrals),
          note: 'people who followed a link',
        },
      ],
    },
  ];
}

function daysOf({ traffic: { daily } }: ReportData): Block[] {
  const logged = loggedDays(daily);
  return logged === null ? [] : [paragraph(logged)];
}

function firstFindings(findings: readonly Finding[]): Block[] {
  if (findings.length === 0) return [paragraph('No problem was found for search engines or AI crawlers.')];
  const shown = findings.slice(0, MOST_FINDINGS);
  return [
    table(
      `Most important findings${shown.length < findings.length ? ` (${shown.length} of ${findings.length})` : ''}`,
      [column('Finding', 'prose'), column('Figures', 'prose'), column('Impact, 0 to 100')],
      shown.map(({ impact, title, figure }, index) => [
        `${index + 1}. ${title}`,
        figure,
        `${whole(Math.round(impact))}, ${levelOf(impact)}`,
      ]),
    ),
  ];
}

function changes(data: ReportData): Block[] {
  const before = previousWindow(data.window);
  const dates = `${dayText(before.start)} to ${dayText(before.end - 1)}`;
  const compared =
    data.summary.deltas.total_requests_pct === null
      ? paragraph(`Nothing is compared: the logs do not cover the period before (${dates}).`)
      : table(
          `What changed since the period before (${dates})`,
          [
            column('Figure', 'prose'),
            column('Before', 'number'),
            column('Now', 'number'),
            column('Change', 'number'),
          ],
          [...counts(data), ...crawlRates(data)],
        );
  return [compared, ...flips(data)];
}

function counts({ summary: now, crawl, aiFunnel }: ReportData): string[][] {
  const { previous } = now;
  const row = (name: string, before: number, after: number) => [
    name,
    whole(before),
    whole(after),
    before === 0 && after > 0 ? 'new' : change(changePct(after, before)),
  ];
  return [
    row('Requests', previous.total_requests, now.total_requests),
    row('Requests from people', previous.human_requests, now.human_requests),
    ...(crawl.requestsBefore === null
      ? []
      : [
          row(
            `${crawl.basis === 'verified' ? 'Verified' : 'Unverified'} requests from search crawlers`,
            crawl.requestsBefore,
            crawl.requests,
          ),
        ]),
    row('Requests from AI crawlers', previous.ai_bot_requests, now.ai_bot_requests),
    row('Visits from AI assistants', aiFunnel.totals.previous.referrals, aiFunnel.totals.referrals),
  ];
}

/** Rates of the responses to search crawlers. A change of a share is in percentage points. */
function crawlRates({ crawl: now, crawlBefore: before }: ReportData): string[][] {
  if (before === null || before.requests === 0 || now.requests === 0) return [];
  const rate = (name: string, of: 'notFound' | 'serverErrors') => {
    const [then, since] = [before, now].map((crawl) => shareOf(crawl[of], crawl.requests)) as [
      number,
      number,
    ];
    return [name, percent(then), percent(since), pointsText(since - then)];
  };
  return [
    rate('Search crawlers: not found (404)', 'notFound'),
    rate('Search crawlers: server errors (5xx)', 'serverErrors'),
    ...(before.meanMs === null || now.meanMs === null
      ? []
      : [
          [
            'Search crawlers: average response time',
            duration(before.meanMs),
            duration(now.meanMs),
            change(changePct(now.meanMs, before.meanMs)),
          ],
        ]),
  ];
}

function pointsText(points: number): string {
  const rounded = Math.round(points * 10) / 10;
  return rounded === 0 ? 'no change' : `${rounded > 0 ? '+' : '−'}${whole(Math.abs(rounded))} points`;
}

/** Checks with a changed verdict, and robots.txt. */
function flips({ checks: { checks }, robots, window, askedAt }: ReportData): Block[] {
  const flipped = checks.filter(({ flipped_at }) => {
    const at = flipped_at === null ? Number.NaN : Date.parse(flipped_at as string);
    return at >= window.start && at <= askedAt;
  });
  const named = flipped
    .slice(0, MOST_FLIPS)
    .map(
      ({ title, id, previous_verdict, verdict }) =>
        `${nameText(title ?? id)} (${previous_verdict} to ${verdict})`,
    );
  const more = flipped.length - named.length;
  const sentences = [
    ...(flipped.length === 0
      ? []
      : [
          `${counted(flipped.length, 'check', 'checks')} changed: ${named.join('; ')}${more === 0 ? '' : `; and ${whole(more)} more`}.`,
        ]),
    ...(robots?.is_new_version === true ? ['robots.txt changed in the period.'] : []),
  ];
  return sentences.length === 0 ? [] : [paragraph(sentences.join(' '))];
}

function landingPages({ aiLanding: { pages } }: ReportData): Block[] {
  if (pages.length === 0) return [paragraph('No visit from an AI assistant was logged in the period.')];
  return [landingTable(pages.slice(0, MOST_PAGES))];
}

/** The landing pages of visits from AI assistants. */
export function landingTable(pages: ReportData['aiLanding']['pages']) {
  return table(
    'Landing pages of visits from AI assistants',
    [column('Page', 'path'), column('Visits', 'number'), column('From', 'prose')],
    pages.map(({ path, visits, operators }) => [pathText(path), whole(visits), sendersText(operators)]),
  );
}

function sendersText(operators: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(operators).toSorted(([, one], [, other]) => other - one);
  const named = sorted
    .slice(0, MOST_SENDERS)
    .map(([operator, count]) => `${nameText(operator)} ${whole(count)}`);
  const more = sorted.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')}, ${whole(more)} more`;
}
