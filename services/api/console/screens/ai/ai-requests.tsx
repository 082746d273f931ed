import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { columnSeries } from '../../charts/column-series.js';
import { TimeChart } from '../../charts/time-chart.js';
import { Card } from '../../parts/card.js';
import { Choices } from '../../parts/choices.js';
import { completeBuckets } from '../../parts/complete-buckets.js';
import { intentTitle } from './intent.js';

type Llms = Answer<'getLlms'>;
type Bucket = Llms['bot_hourly'][number];

/** Requests of AI crawlers over time, by crawler or by intent. */
export function AiRequests({ llms }: { readonly llms: ReadState<Llms> }) {
  const { address, go } = useAddress();
  const isByIntent = address.rest.by === 'intent';
  return (
    <Card
      title="AI requests over time"
      caption="whole hours or days"
      read={llms}
      empty={{
        when: ({ total_ai_requests }) => total_ai_requests === 0,
        text: 'No AI crawler came in this window.',
      }}
      table={(answer) => ({
        caption: 'AI requests over time',
        rows: bucketsOf(answer).map((bucket, place) => ({ bucket, place })),
        columns: [
          { title: 'Time', value: ({ bucket }: { bucket: Bucket }) => bucket.time_bucket },
          ...seriesOf(answer, isByIntent).map(({ name, values }) => ({
            title: name,
            value: ({ place }: { place: number }) => values[place] ?? 0,
            isNumber: true,
          })),
        ],
      })}
    >
      {(answer) => (
        <>
          <Choices
            label="Series"
            choices={[
              { name: 'crawler', title: 'by crawler' },
              { name: 'intent', title: 'by intent' },
            ]}
            chosen={isByIntent ? 'intent' : 'crawler'}
            onChoose={(by) => go({ rest: { ...address.rest, by } })}
          />
          <TimeChart
            label="AI requests over time"
            isStacked
            times={bucketsOf(answer).map(({ time_bucket }) => Date.parse(time_bucket))}
            series={seriesOf(answer, isByIntent)}
          />
        </>
      )}
    </Card>
  );
}

function bucketsOf({ bot_hourly, window }: Llms): readonly Bucket[] {
  return completeBuckets(bot_hourly, ({ time_bucket }) => String(time_bucket), window);
}

function seriesOf(answer: Llms, isByIntent: boolean) {
  const { crawlers } = answer;
  const intents = new Map(crawlers.map(({ bot_name, intent }) => [bot_name, intentTitle(intent)]));
  return columnSeries(
    bucketsOf(answer),
    'time_bucket',
    isByIntent ? (name) => intents.get(name) ?? 'other' : undefined,
  );
}
