import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { Sparkline } from '../../charts/sparkline.js';
import { milliseconds, percent, short } from '../../format.js';
import { Delta } from '../../parts/delta.js';
import { Notice, noticeOf } from '../../parts/notice.js';

interface Tile {
  readonly title: string;
  readonly figure: string;
  readonly change: number | null | undefined;
  readonly unit?: 'pp';
  readonly goodWhen?: 'up' | 'down';
  readonly values: readonly number[];
  readonly tone: string;
}

export interface TilesProps {
  readonly summary: ReadState<Answer<'getSummary'>>;
  readonly traffic: ReadState<Answer<'getTraffic'>>;
  readonly funnel: ReadState<Answer<'getAiFunnel'>>;
}

/** The six figures that people look at first, each with its course and its change. */
export function Tiles({ summary, traffic, funnel }: TilesProps) {
  const answer = summary.answer;
  if (answer === null)
    return (
      <div class="tiles">
        <Notice notice={noticeOf(summary)} />
        {Array.from({ length: 6 }, (_, place) => (
          <section key={place} class="card tile skeleton" aria-hidden="true" />
        ))}
      </div>
    );
  return (
    <div class="tiles">
      <Notice notice={noticeOf(summary)} />
      {tilesOf(answer, traffic.answer, funnel.answer).map(
        ({ title, figure, change, unit, goodWhen, values, tone }) => (
          <section key={title} class="card tile" aria-label={title}>
            <h2>{title}</h2>
            <p>
              <strong>{figure}</strong>{' '}
              <Delta
                value={change}
                {...(unit === undefined ? {} : { unit })}
                {...(goodWhen === undefined ? {} : { goodWhen })}
              />
            </p>
            <Sparkline values={values} class={tone} />
          </section>
        ),
      )}
    </div>
  );
}

function tilesOf(
  summary: Answer<'getSummary'>,
  traffic: Answer<'getTraffic'> | null,
  funnel: Answer<'getAiFunnel'> | null,
): Tile[] {
  const hours = traffic?.hourly ?? [];
  const { deltas } = summary;
  return [
    {
      title: 'People',
      figure: short(summary.human_requests),
      change: deltas?.human_requests_pct,
      goodWhen: 'up',
      values: hours.map(({ human_requests }) => human_requests),
      tone: 'people',
    },
    {
      title: 'Search crawlers',
      figure: short(summary.search_bot_requests),
      change: deltas?.search_bot_requests_pct,
      goodWhen: 'up',
      values: hours.map(({ search_bot_requests }) => search_bot_requests),
      tone: 'search',
    },
    {
      title: 'AI fetches',
      figure: short(summary.ai_bot_requests),
      change: deltas?.ai_bot_requests_pct,
      values: hours.map(({ ai_bot_requests }) => ai_bot_requests),
      tone: 'ai',
    },
    {
      title: 'Visits from AI',
      figure: short(funnel?.totals.referrals),
      change: funnel?.totals.deltas?.referrals_pct,
      goodWhen: 'up',
      values: [],
      tone: 'ai',
    },
    {
      title: 'Errors 5xx',
      figure: percent(summary.error_rate_5xx_pct),
      change: deltas?.error_rate_5xx_pp,
      unit: 'pp',
      goodWhen: 'down',
      values: hours.map(({ status_5xx }) => status_5xx),
      tone: 'bad',
    },
    {
      title: 'p95',
      figure: milliseconds(summary.p95_time_ms),
      change: deltas?.p95_time_ms_pct,
      goodWhen: 'down',
      values: hours.map(({ avg_time_ms }) => avg_time_ms ?? 0),
      tone: 'people',
    },
  ];
}
