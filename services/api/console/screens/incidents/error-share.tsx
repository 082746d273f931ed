import type { ComponentChildren } from 'preact';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { TimeChart } from '../../charts/time-chart.js';
import { percent, words } from '../../format.js';
import { Card } from '../../parts/card.js';
import { useWebsite } from '../../parts/website.js';

type Hour = Answer<'getTraffic'>['hourly'][number];

/** The share that an alert about errors measures. */
export interface ShareOfErrors {
  readonly title: string;
  readonly errors: (hour: Hour) => number;
}

export const shareOfType: ReadonlyMap<string, ShareOfErrors> = new Map([
  ['error_spike_5xx', { title: 'Share of 5xx', errors: ({ status_5xx }) => status_5xx }],
  [
    'error_rate',
    { title: 'Share of 4xx and 5xx', errors: ({ status_4xx, status_5xx }) => status_4xx + status_5xx },
  ],
]);

const HOUR_MS = 3_600_000;
const HOURS_BEFORE = 36;
const HOURS_AFTER = 24;

/** The share of errors by hour, around the incident. */
export function ErrorShare({
  at,
  type,
  of: { title, errors },
  choices,
}: {
  readonly at: number;
  readonly type: string;
  readonly of: ShareOfErrors;
  readonly choices: ComponentChildren;
}) {
  const { website } = useWebsite();
  const hour = Math.floor(at / HOUR_MS) * HOUR_MS;
  const read = useRead(
    'getTraffic',
    website,
    {
      start: new Date(hour - HOURS_BEFORE * HOUR_MS).toISOString(),
      end: new Date(Math.min(hour + HOURS_AFTER * HOUR_MS, thisHour())).toISOString(),
    },
    { when: website !== null },
  );
  const shareOf = (point: Hour) => (point.requests === 0 ? null : (100 * errors(point)) / point.requests);
  return (
    <Card
      title={title}
      caption="by hour, around the incident · without segment and countries"
      read={read}
      table={({ hourly }) => ({
        caption: `${title} by hour`,
        rows: hourly,
        columns: [
          { title: 'Hour', value: ({ time }: Hour) => time },
          { title: 'Requests', value: ({ requests }: Hour) => requests, isNumber: true },
          { title: 'Errors', value: errors, isNumber: true },
          { title: 'Share, %', value: shareOf, isNumber: true },
        ],
      })}
    >
      {({ hourly }) => (
        <>
          {choices}
          <TimeChart
            label={title}
            times={hourly.map(({ time }) => Date.parse(time))}
            series={[{ name: title.toLowerCase(), colour: '--bad', values: hourly.map(shareOf) }]}
            marks={[{ at, label: words(type), tone: 'incident' }]}
            format={percent}
          />
        </>
      )}
    </Card>
  );
}

/** The start of the running hour, rounded up so that a young incident is in the chart. */
function thisHour(): number {
  return Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
}
