import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { exact, logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { perVisit, readsPerVisit } from '../ai/per-visit.js';

type Operator = Answer<'getAiFunnel'>['operators'][number];

const MOST_ROWS = 8;

/** AI operators: what they read, and the visits that come back. */
export function AiOperators({ funnel }: { readonly funnel: ReadState<Answer<'getAiFunnel'>> }) {
  return (
    <Card
      title="AI operators"
      caption="reads for training · reads for answers · visits · reads of both kinds per visit"
      read={funnel}
      empty={{
        when: ({ operators }) => operators.length === 0,
        text: 'No AI operator read this website in this window.',
      }}
      table={({ operators }) => ({
        caption: 'AI operators',
        rows: operators,
        columns: [
          { title: 'Operator', value: ({ operator }: Operator) => operator },
          {
            title: 'Training requests',
            value: ({ training_requests }: Operator) => training_requests,
            isNumber: true,
          },
          { title: 'For answers', value: ({ fetches }: Operator) => fetches, isNumber: true },
          { title: 'Visits', value: ({ referrals }: Operator) => referrals, isNumber: true },
          {
            title: 'For answers, per visit',
            value: ({ fetches, fetches_per_visit }: Operator) => perVisit(fetches, fetches_per_visit),
            isNumber: true,
          },
          { title: 'All reads, per visit', value: readsPerVisit, isNumber: true },
        ],
      })}
    >
      {({ operators }) => (
        <BarList
          label="AI operators"
          tone="ai"
          heads={['Operator', 'Training', 'For answers', 'Visits', 'Reads per visit']}
          bars={operators.slice(0, MOST_ROWS).map((operator) => ({
            key: operator.operator,
            label: (
              <>
                <b>{logText(operator.operator)}</b> <small>{operator.bots.map(logText).join(', ')}</small>
              </>
            ),
            value: operator.training_requests,
            cells: [short(operator.fetches), short(operator.referrals), exact(readsPerVisit(operator))],
          }))}
        />
      )}
    </Card>
  );
}
