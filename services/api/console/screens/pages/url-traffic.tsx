import type { ReadState } from '../../api/use-read.js';
import { TimeChart } from '../../charts/time-chart.js';
import { Card } from '../../parts/card.js';
import { useZoom } from '../../parts/use-zoom.js';
import type { UrlAnswer } from './url-answer.js';

type Bucket = UrlAnswer['logs']['series'][number];

/** Requests for the URL over time by who sends them. */
export function UrlTraffic({ url }: { readonly url: ReadState<UrlAnswer> }) {
  const zoom = useZoom();
  return (
    <Card
      title="Requests over time"
      read={url}
      empty={{ when: ({ logs }) => logs.requests === 0, text: 'No request for this URL in this window.' }}
      table={({ logs }) => ({
        caption: 'Requests over time',
        rows: logs.series,
        columns: [
          { title: 'Time', value: ({ time }: Bucket) => time },
          { title: 'People', value: ({ humans }: Bucket) => humans, isNumber: true },
          {
            title: 'Verified search',
            value: ({ verified_search }: Bucket) => verified_search,
            isNumber: true,
          },
          { title: 'Bots', value: ({ bots }: Bucket) => bots, isNumber: true },
        ],
      })}
    >
      {({ logs: { series } }) => (
        <TimeChart
          label="Requests over time"
          isStacked
          times={series.map(({ time }) => Date.parse(time))}
          series={[
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
          ]}
          onZoom={zoom}
        />
      )}
    </Card>
  );
}
