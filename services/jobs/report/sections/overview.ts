import { barChart } from '../charts/bar-chart.js';
import { lineChart } from '../charts/line-chart.js';
import type { Block, Section } from '../model/document.js';
import type { ReportData } from '../model/report-data.js';
import { changeNote, counted, percent, shareOf, whole } from '../model/texts.js';
import { hasLogs } from './logged-days.js';

export function overview({ summary, traffic, seo }: ReportData): Section {
  return {
    id: 'traffic',
    title: 'Traffic',
    blocks: [
      {
        kind: 'figures',
        figures: [
          {
            label: 'Requests',
            value: whole(summary.total_requests),
            note: changeNote(summary.deltas.total_requests_pct),
          },
          {
            label: 'From people',
            value: whole(summary.human_requests),
            note: changeNote(summary.deltas.human_requests_pct),
          },
          {
            label: 'From search crawlers',
            value: whole(summary.search_bot_requests),
            note: `${whole(seo.verified_requests)} verified`,
          },
          {
            label: 'From AI crawlers',
            value: whole(summary.ai_bot_requests),
            note: changeNote(summary.deltas.ai_bot_requests_pct),
          },
        ],
      },
      ...crawlersByDay(traffic),
      statusOfAll(summary),
    ],
  };
}

function crawlersByDay({ daily }: ReportData['traffic']): Block[] {
  const labels = daily.map(({ time }) => dayLabel(time as string));
  const known = (of: (day: (typeof daily)[number]) => number) =>
    daily.map((day) => (hasLogs(day) ? of(day) : null));
  const logged = daily.filter(hasLogs).length;
  const total = (name: 'search_bot_requests' | 'ai_bot_requests' | 'other_bot_requests') =>
    daily.reduce((sum, day) => sum + day[name], 0);
  return [
    {
      kind: 'chart',
      caption: 'Crawler requests by day (UTC)',
      alt: `Lines over ${counted(logged, 'day', 'days')} with logs: search crawlers made ${whole(total('search_bot_requests'))} requests, AI crawlers ${whole(total('ai_bot_requests'))}, other bots ${whole(total('other_bot_requests'))}.`,
      svg: lineChart({
        alt: 'Crawler requests by day',
        labels,
        series: [
          { name: 'Search crawlers', values: known((day) => day.search_bot_requests) },
          { name: 'AI crawlers', values: known((day) => day.ai_bot_requests) },
          { name: 'Other bots', values: known((day) => day.other_bot_requests) },
        ],
      }),
    },
    {
      kind: 'chart',
      caption: 'AI crawlers as a share of all requests by day',
      alt: `A line over ${counted(logged, 'day', 'days')} with logs. Over all of them the share was ${percent(shareOf(total('ai_bot_requests'), sumOf(daily)))}.`,
      svg: lineChart({
        alt: 'Share of AI crawlers by day',
        labels,
        series: [
          {
            name: 'AI crawlers, percent of all requests',
            values: known((day) => shareOf(day.ai_bot_requests, day.requests)),
          },
        ],
        write: percent,
      }),
    },
  ];
}

const sumOf = (days: readonly { readonly requests: number }[]) =>
  days.reduce((sum, { requests }) => sum + requests, 0);

function statusOfAll(summary: ReportData['summary']): Block {
  const bars = (['2xx', '3xx', '4xx', '5xx'] as const).map((name) => {
    const value = summary[`status_${name}`];
    return {
      name: `${name} ${meanings[name]}`,
      value,
      note: percent(shareOf(value, summary.total_requests)),
    };
  });
  return {
    kind: 'chart',
    caption: 'All requests by status class',
    alt: bars.map(({ name, value }) => `${name}: ${whole(value)}`).join('; '),
    svg: barChart('Requests by status class', bars),
  };
}

const meanings = {
  '2xx': 'served',
  '3xx': 'redirects, 304',
  '4xx': 'client errors',
  '5xx': 'server errors',
} as const;

/** `22 Nov` */
const dayLabel = (time: string) =>
  new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
