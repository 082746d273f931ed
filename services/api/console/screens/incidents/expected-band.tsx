import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { TimeChart } from '../../charts/time-chart.js';
import { milliseconds, short, words } from '../../format.js';
import { Card } from '../../parts/card.js';
import { useWebsite } from '../../parts/website.js';
import { ErrorShare, type ShareOfErrors, shareOfType } from './error-share.js';

type History = Answer<'getHealthHistory'>;
type Hour = History['series'][number];
type Metric = History['metric'];
type Period = History['period'];

const metrics = [
  { name: 'traffic', title: 'Requests' },
  { name: 'errors', title: '4xx and 5xx' },
  { name: 'bots', title: 'Bots' },
  { name: 'crawlers', title: 'Crawlers' },
  { name: 'not_found', title: '404' },
  { name: 'latency', title: 'Mean time' },
] as const satisfies readonly { readonly name: Metric; readonly title: string }[];

/** The metric in which an alert of a type shows. Other types show in the traffic. */
const metricOfType: ReadonlyMap<string, Metric> = new Map([
  ['latency_spike', 'latency'],
  ['error_rate', 'errors'],
  ['error_spike_5xx', 'errors'],
  ['not_found_spike', 'not_found'],
  ['new_bot', 'bots'],
  ['fake_crawler', 'bots'],
  ['undeclared_agent', 'bots'],
  ['hacking_probe', 'errors'],
  ['scraper', 'traffic'],
  ['crawler_drop', 'crawlers'],
  ['crawler_errors', 'crawlers'],
  ['crawler_blocked', 'crawlers'],
]);

const HOUR_MS = 3_600_000;
const periods: readonly { readonly name: Period; readonly hours: number }[] = [
  { name: '24h', hours: 24 },
  { name: '7d', hours: 168 },
  { name: '30d', hours: 720 },
];

interface BandProps {
  /** The beginning of the incident in milliseconds; NaN: none is chosen. */
  readonly at: number;
  readonly type: string | null;
}

/** The measure of the incident by hour: its share of errors, or a metric with the band that the detector calls normal. */
export function ExpectedBand(props: BandProps) {
  const { address } = useAddress();
  const { at, type } = props;
  const share = shareOfType.get(type ?? '');
  const isShare = address.rest.metric === undefined || address.rest.metric === 'share';
  return share !== undefined && isShare && !Number.isNaN(at) ? (
    <ErrorShare at={at} type={type ?? ''} of={share} choices={<Choices chosen="share" share={share} />} />
  ) : (
    <MetricBand {...props} />
  );
}

/** The metrics as links; first the incident's own share, where it has one. */
function Choices({ chosen, share }: { readonly chosen: string; readonly share: ShareOfErrors | undefined }) {
  const { address, link } = useAddress();
  const all = [...(share === undefined ? [] : [{ name: 'share', title: share.title }]), ...metrics];
  return (
    <p class="choices-line">
      {all.map(({ name, title }) => (
        <a
          key={name}
          href={link({ rest: { ...address.rest, metric: name } })}
          aria-current={name === chosen ? 'true' : undefined}
        >
          {title}
        </a>
      ))}
    </p>
  );
}

/** A metric by hour with its band, and the incident as a mark. */
function MetricBand({ at, type }: BandProps) {
  const { address } = useAddress();
  const { website } = useWebsite();
  const chosen = metrics.find(({ name }) => name === address.rest.metric)?.name;
  const metric = chosen ?? metricOfType.get(type ?? '') ?? 'traffic';
  const period = periodOf(address.period, at);
  const read = useRead('getHealthHistory', website, { metric, period }, { when: website !== null });
  return (
    <Card
      title="Expected band"
      caption={`by hour, the last ${period.replace(/(\d+)/, '$1 ')}`}
      read={read}
      empty={{
        when: ({ series }) => series.every(({ value }) => value === null),
        text: 'The detector has evaluated nothing in this window yet.',
      }}
      table={tableOf}
    >
      {(answer) => (
        <>
          <Choices chosen={metric} share={shareOfType.get(type ?? '')} />
          <TimeChart
            label={`${metrics.find(({ name }) => name === answer.metric)?.title} with the expected band`}
            times={answer.series.map(({ time }) => Date.parse(time))}
            series={[
              {
                name: 'normal at most',
                colour: '--muted',
                isDashed: true,
                values: answer.series.map(({ upper }) => upper),
              },
              {
                name: 'normal at least',
                colour: '--muted',
                isDashed: true,
                values: answer.series.map(({ lower }) => lower),
              },
              { name: 'found', colour: '--people', values: answer.series.map(({ value }) => value) },
            ]}
            band={{ upper: 0, lower: 1 }}
            marks={Number.isNaN(at) ? [] : [{ at, label: words(type ?? 'alert'), tone: 'incident' }]}
            format={answer.unit === 'ms' ? milliseconds : short}
          />
          <Limits answer={answer} at={at} />
        </>
      )}
    </Card>
  );
}

/** The limits of the chart, in words. */
function Limits({ answer, at }: { readonly answer: History; readonly at: number }) {
  const start = Date.parse(answer.series[0]?.time ?? '');
  return (
    <p class="caption">
      {at < start ? 'The alert is older than 30 days; this chart ends now and does not reach it. ' : ''}
      {answer.series.some(({ lower }) => lower === null) ? 'Hours without a band have no baseline yet. ' : ''}
      {answer.missing_intervals > 0
        ? `Nothing is known of ${answer.missing_intervals} intervals of 5 minutes. `
        : ''}
      The band filters nothing: neither segment nor countries apply.
    </p>
  );
}

/** The series ends now: the shortest one that reaches the alert, else the window of the screen. */
function periodOf(window: string, at: number): Period {
  if (!Number.isNaN(at)) {
    const hours = (Date.now() - at) / HOUR_MS + 3;
    return periods.find((period) => period.hours >= hours)?.name ?? '30d';
  }
  return periods.find(({ name }) => name === window)?.name ?? (window === '90d' ? '30d' : '7d');
}

function tableOf({ metric, series }: History) {
  return {
    caption: `${metric} by hour`,
    rows: series,
    columns: [
      { title: 'Hour', value: ({ time }: Hour) => time },
      { title: 'Found', value: ({ value }: Hour) => value, isNumber: true },
      { title: 'Normal at least', value: ({ lower }: Hour) => lower, isNumber: true },
      { title: 'Normal at most', value: ({ upper }: Hour) => upper, isNumber: true },
    ],
  };
}
