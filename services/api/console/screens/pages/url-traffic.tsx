import { useAddress } from '../../address.js';
import type { ReadState } from '../../api/use-read.js';
import { TimeChart } from '../../charts/time-chart.js';
import type { Series } from '../../charts/time-chart-props.js';
import { Card } from '../../parts/card.js';
import { Choices } from '../../parts/choices.js';
import { completeBuckets } from '../../parts/complete-buckets.js';
import type { UrlAnswer } from './url-answer.js';

type Bucket = UrlAnswer['logs']['series'][number];

const bucketsOf = ({ logs, window }: UrlAnswer) => completeBuckets(logs.series, ({ time }) => time, window);

/** Requests for the URL over time, by who sends them or by status. */
export function UrlTraffic({ url }: { readonly url: ReadState<UrlAnswer> }) {
  const { address, go } = useAddress();
  const isByStatus = address.rest.by === 'status';
  return (
    <Card
      title="Requests over time"
      read={url}
      empty={{ when: ({ logs }) => logs.requests === 0, text: 'No request for this URL in this window.' }}
      table={(answer) => ({
        caption: 'Requests over time',
        rows: bucketsOf(answer),
        columns: [
          { title: 'Time', value: ({ time }: Bucket) => time },
          { title: 'People', value: ({ humans }: Bucket) => humans, isNumber: true },
          {
            title: 'Verified search',
            value: ({ verified_search }: Bucket) => verified_search,
            isNumber: true,
          },
          { title: 'Bots', value: ({ bots }: Bucket) => bots, isNumber: true },
          ...statuses.map(({ name, field }) => ({
            title: name,
            value: (bucket: Bucket) => bucket[field],
            isNumber: true,
          })),
        ],
      })}
    >
      {(answer) => {
        const series = bucketsOf(answer);
        return (
          <>
            <Choices
              label="Series"
              choices={[
                { name: 'who', title: 'by who' },
                { name: 'status', title: 'by status' },
              ]}
              chosen={isByStatus ? 'status' : 'who'}
              onChoose={(by) => go({ rest: { ...address.rest, by } })}
            />
            <TimeChart
              key={isByStatus ? 'status' : 'who'}
              label={isByStatus ? 'Requests over time by status' : 'Requests over time by who sends them'}
              isStacked
              times={series.map(({ time }) => Date.parse(time))}
              series={isByStatus ? byStatus(series) : byWho(series)}
            />
          </>
        );
      }}
    </Card>
  );
}

const statuses = [
  { name: '2xx', field: 'status_2xx', colour: '--search' },
  { name: '3xx', field: 'status_3xx', colour: '--other' },
  { name: '4xx', field: 'status_4xx', colour: '--ai' },
  { name: '5xx', field: 'status_5xx', colour: '--bad' },
] as const;

function byStatus(series: readonly Bucket[]): Series[] {
  return statuses.map(({ name, field, colour }) => ({
    name,
    colour,
    values: series.map((bucket) => bucket[field]),
  }));
}

function byWho(series: readonly Bucket[]): Series[] {
  return [
    { name: 'People', colour: '--people', values: series.map(({ humans }) => humans) },
    {
      name: 'Verified search',
      colour: '--search',
      values: series.map(({ verified_search }) => verified_search),
    },
    {
      name: 'Other bots',
      colour: '--other',
      values: series.map(({ bots, verified_search }) => bots - verified_search),
    },
  ];
}
