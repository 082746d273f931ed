import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { type FigureTile, FigureTiles } from '../../charts/figure-tiles.js';
import { exact, milliseconds, percent, short } from '../../format.js';
import { completeBuckets } from '../../parts/complete-buckets.js';

export interface TilesProps {
  readonly summary: ReadState<Answer<'getSummary'>>;
  readonly traffic: ReadState<Answer<'getTraffic'>>;
  readonly funnel: ReadState<Answer<'getAiFunnel'>>;
}

/** The six figures that people look at first, each with its course and its change. */
export function Tiles({ summary, traffic, funnel }: TilesProps) {
  return (
    <FigureTiles
      read={summary}
      tall
      count={6}
      tiles={(answer) => tilesOf(answer, traffic.answer, funnel.answer)}
    />
  );
}

function tilesOf(
  summary: Answer<'getSummary'>,
  traffic: Answer<'getTraffic'> | null,
  funnel: Answer<'getAiFunnel'> | null,
): FigureTile[] {
  const hours = completeBuckets(traffic?.hourly ?? [], ({ time }) => time, traffic?.window ?? null);
  const { deltas } = summary;
  return [
    {
      title: 'People',
      figure: short(summary.human_requests),
      exact: exact(summary.human_requests),
      change: deltas?.human_requests_pct,
      goodWhen: 'up',
      course: { values: hours.map(({ human_requests }) => human_requests), tone: 'people' },
    },
    {
      title: 'Search crawlers',
      figure: short(summary.search_bot_requests),
      exact: exact(summary.search_bot_requests),
      change: deltas?.search_bot_requests_pct,
      goodWhen: 'up',
      course: { values: hours.map(({ search_bot_requests }) => search_bot_requests), tone: 'search' },
    },
    {
      title: 'AI requests',
      figure: short(summary.ai_bot_requests),
      exact: exact(summary.ai_bot_requests),
      change: deltas?.ai_bot_requests_pct,
      course: { values: hours.map(({ ai_bot_requests }) => ai_bot_requests), tone: 'ai' },
    },
    {
      title: 'Visits from AI',
      figure: short(funnel?.totals.referrals),
      change: funnel?.totals.deltas?.referrals_pct,
      goodWhen: 'up',
      course: { values: [], tone: 'ai' },
    },
    {
      title: 'Errors 5xx',
      figure: percent(summary.error_rate_5xx_pct),
      change: deltas?.error_rate_5xx_pp,
      unit: 'pp',
      goodWhen: 'down',
      course: { values: hours.map(({ status_5xx }) => status_5xx), tone: 'bad' },
    },
    {
      title: 'p95',
      figure: milliseconds(summary.p95_time_ms),
      change: deltas?.p95_time_ms_pct,
      goodWhen: 'down',
      course: { values: hours.map(({ avg_time_ms }) => avg_time_ms ?? 0), tone: 'people' },
    },
  ];
}
