import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { TimeChart } from '../../charts/time-chart.js';
import type { Mark, Series } from '../../charts/time-chart-props.js';
import { range } from '../../format.js';
import { beginning, timesOfAlert } from '../../parts/alert-times.js';
import { Card } from '../../parts/card.js';
import { completeBuckets } from '../../parts/complete-buckets.js';
import { useWebsite } from '../../parts/website.js';

type Traffic = Answer<'getTraffic'>;
interface Compared {
  readonly start: string;
  readonly end: string;
}
type Bucket = Traffic['hourly'][number];

const WEEK_MS = 7 * 24 * 3_600_000;

/** Requests over time by who sends them, with incidents and site events as marks and the compared window as a dashed line. */
export function RequestsByWho({
  traffic,
  alerts,
}: {
  readonly traffic: ReadState<Traffic>;
  readonly alerts: Answer<'listAlerts'> | null;
}) {
  const { address } = useAddress();
  const { website } = useWebsite();
  const compared = comparedWindow(traffic.answer, address.compare);
  const before = useRead(
    'getTraffic',
    website,
    { ...scopeOf(address), hours: undefined, ...compared },
    { when: website !== null && compared !== null },
  );
  const events = useRead('listSiteEvents', website, {}, { when: website !== null });
  return (
    <Card
      title="Requests by who"
      caption="whole hours or days"
      read={traffic}
      empty={{ when: ({ totals }) => totals.total_requests === 0, text: 'No requests in this window.' }}
      table={(answer) => ({
        caption: 'Requests by who',
        rows: completeOf(answer),
        columns: [
          { title: 'Time', value: ({ time }: Bucket) => time },
          { title: 'People', value: ({ human_requests }: Bucket) => human_requests, isNumber: true },
          {
            title: 'Search crawlers',
            value: ({ search_bot_requests }: Bucket) => search_bot_requests,
            isNumber: true,
          },
          { title: 'AI', value: ({ ai_bot_requests }: Bucket) => ai_bot_requests, isNumber: true },
          {
            title: 'Other bots',
            value: ({ other_bot_requests }: Bucket) => other_bot_requests,
            isNumber: true,
          },
        ],
      })}
    >
      {(answer) => {
        const buckets = completeOf(answer);
        return (
          <TimeChart
            label="Requests by who"
            isStacked
            times={buckets.map(({ time }) => Date.parse(time))}
            series={[...seriesOf(buckets), ...beforeOf(before.answer, compared, buckets.length)]}
            marks={marksOf(alerts, events.answer)}
          />
        );
      }}
    </Card>
  );
}

/** Windows of more than two weeks are drawn by day. */
function bucketsOf({ hourly, daily }: Traffic): readonly Bucket[] {
  return hourly.length > 24 * 15 ? daily : hourly;
}

function completeOf(answer: Traffic): readonly Bucket[] {
  return completeBuckets(bucketsOf(answer), ({ time }) => time, answer.window);
}

function seriesOf(buckets: readonly Bucket[]): Series[] {
  return [
    { name: 'People', colour: '--people', values: buckets.map(({ human_requests }) => human_requests) },
    {
      name: 'Search crawlers',
      colour: '--search',
      values: buckets.map(({ search_bot_requests }) => search_bot_requests),
    },
    { name: 'AI', colour: '--ai', values: buckets.map(({ ai_bot_requests }) => ai_bot_requests) },
    {
      name: 'Other bots',
      colour: '--other',
      values: buckets.map(({ other_bot_requests }) => other_bot_requests),
    },
  ];
}

function comparedWindow(answer: Traffic | null, compare: 'previous' | 'week' | 'none'): Compared | null {
  if (answer === null || compare === 'none') return null;
  const { window, previous } = answer;
  if (compare === 'previous')
    return previous?.window ? { start: previous.window.start, end: previous.window.end } : null;
  if (window === null) return null;
  const earlier = (at: string) => new Date(Date.parse(at) - WEEK_MS).toISOString();
  return { start: earlier(window.start), end: earlier(window.end) };
}

function beforeOf(answer: Traffic | null, compared: Compared | null, length: number): Series[] {
  if (answer === null || compared === null || !isWholeLog(answer)) return [];
  const values = completeOf(answer).map(({ requests }) => requests);
  return [
    {
      name: `before: ${range(Date.parse(compared.start), Date.parse(compared.end))}`,
      colour: '--muted',
      isDashed: true,
      values: Array.from({ length }, (_, place) => values[place] ?? null),
    },
  ];
}

/** A window before the first complete logs is not drawn: its zeros mean nothing. */
function isWholeLog({ complete_since, window }: Traffic): boolean {
  return complete_since !== null && window !== null && Date.parse(complete_since) <= Date.parse(window.start);
}

function marksOf(alerts: Answer<'listAlerts'> | null, events: Answer<'listSiteEvents'> | null): Mark[] {
  const incidents = (alerts?.alerts ?? [])
    .filter(({ severity }) => severity === 'critical')
    .map(
      (alert): Mark => ({
        at: beginning(timesOfAlert(alert)),
        label: alert.alert_type.replaceAll('_', ' '),
        tone: 'incident',
      }),
    );
  const notes = (events?.events ?? [])
    .filter(({ category }) => category !== 'api')
    .map(
      ({ date, time, title }): Mark => ({
        at: Date.parse(`${date}T${time ?? '00:00'}Z`),
        label: title.slice(0, 40),
        tone: 'event',
      }),
    );
  return [...incidents, ...notes].sort((a, b) => a.at - b.at);
}
