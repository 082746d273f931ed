import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { TimeChart } from '../../charts/time-chart.js';
import { ago, change, exact, logText, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { useWebsite } from '../../parts/website.js';

type Performance = Answer<'getSearchPerformance'>;
type Day = Performance['series'][number];
type Metric = 'clicks' | 'impressions' | 'ctr' | 'position';

interface MetricText {
  readonly name: Metric;
  readonly title: string;
  readonly show: (value: number | null) => string;
}

const metrics: readonly MetricText[] = [
  { name: 'clicks', title: 'Clicks', show: short },
  { name: 'impressions', title: 'Impressions', show: short },
  {
    name: 'ctr',
    title: 'Clicks per impression',
    show: (value) => percent(value === null ? null : value * 100),
  },
  { name: 'position', title: 'Average position', show: exact },
];
const column = columnsOf<Day>();

/** Clicks, impressions, their ratio and the position: the totals choose the metric of the chart. */
export function SearchFigures({ performance }: { readonly performance: ReadState<Performance> }) {
  const { address, go } = useAddress();
  const { domain } = useWebsite();
  const chosen = metrics.find(({ name }) => name === address.rest.metric) ?? metrics[0]!;
  const choose = (metric: Metric) => go({ rest: { ...address.rest, metric } });
  return (
    <Card
      title={`Search results of ${logText(domain ?? 'the website')}`}
      caption={captionOf(performance.answer)}
      read={performance}
      empty={{
        when: ({ available }) => available === false,
        text: 'The source is connected and has no data yet. It is read once a day.',
      }}
      table={({ series }) => ({
        caption: 'Search results by day',
        rows: series ?? [],
        columns: [
          column.text('Day', 'day'),
          column.number('Clicks', 'clicks'),
          column.number('Impressions', 'impressions'),
          column.number('Clicks per impression', 'ctr'),
          column.number('Position', 'position'),
        ],
      })}
    >
      {({ totals, previous, series, last_sync_problem }) => (
        <>
          {last_sync_problem === null ? null : (
            <p class="notice warning">The last sync did not complete: {logText(last_sync_problem)}</p>
          )}
          <ul class="metric-choices">
            {metrics.map((metric) => (
              <li key={metric.name}>
                <button type="button" aria-pressed={metric === chosen} onClick={() => choose(metric.name)}>
                  <span>{metric.title}</span>
                  <strong>{metric.show(totals[metric.name])}</strong>
                  {address.compare === 'none' || previous === null ? null : (
                    <MetricChange
                      metric={metric.name}
                      now={totals[metric.name]}
                      before={previous[metric.name]}
                    />
                  )}
                </button>
              </li>
            ))}
          </ul>
          <TimeChart
            label={`${chosen.title} by day`}
            times={series.map(({ day }) => Date.parse(day))}
            series={[
              {
                name: chosen.title,
                colour: '--search',
                values: series.map((day) => day[chosen.name]),
              },
            ]}
            format={chosen.show}
          />
        </>
      )}
    </Card>
  );
}

function captionOf(answer: Performance | null): string {
  if (answer?.window == null) return '';
  const source = answer.source === 'bing-webmaster' ? 'Bing Webmaster Tools' : 'Google Search Console';
  return `${source}, ${answer.window.start} to ${answer.window.end}, read ${ago(answer.last_sync_at)}`;
}

/** A position is better where it is smaller, and its change is in places. */
function MetricChange({
  metric,
  now,
  before,
}: {
  readonly metric: Metric;
  readonly now: number | null;
  readonly before: number | null;
}) {
  if (now === null || before === null || before === 0) return null;
  const difference = now - before;
  const isBetter = metric === 'position' ? difference < 0 : difference > 0;
  const tone = difference === 0 ? '' : isBetter ? 'good' : 'bad';
  return (
    <span class={`delta ${tone}`}>
      {metric === 'position' ? placesText(difference) : change((difference / before) * 100)}
    </span>
  );
}

function placesText(difference: number): string {
  const places = Math.round(Math.abs(difference) * 100) / 100;
  if (places === 0) return '±0';
  return `${exact(places)} ${difference < 0 ? 'better' : 'worse'}`;
}
