import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { exact, logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { hasBefore } from '../../parts/delta.js';
import { perVisit, readsPerVisit } from './per-visit.js';

type Operator = Answer<'getAiFunnel'>['operators'][number];

/** Each operator from training to visits. A click shows the funnel of the operator. */
export function OperatorReads({ funnel }: { readonly funnel: ReadState<Answer<'getAiFunnel'>> }) {
  const { address, go } = useAddress();
  const pick = (name: string) => {
    const { operator, ...others } = address.rest;
    go({ rest: operator === name ? others : { ...others, operator: name } });
  };
  return (
    <Card
      title="By operator"
      caption="for answers: search and fetches for a person who asks · all reads: with training · a click shows the funnel"
      read={funnel}
      empty={{
        when: ({ operators }) => operators.length === 0,
        text: 'No AI operator read this website in this window.',
      }}
      table={(answer) => ({
        caption: 'AI operators from reads to visits',
        rows: answer.operators,
        columns: [
          { title: 'Operator', value: ({ operator }: Operator) => operator },
          { title: 'Bots', value: ({ bots }: Operator) => bots.join(', ') },
          {
            title: 'Training',
            value: ({ training_requests }: Operator) => training_requests,
            isNumber: true,
          },
          { title: 'For answers', value: ({ fetches }: Operator) => fetches, isNumber: true },
          { title: 'Citations', value: ({ citations }: Operator) => citations, isNumber: true },
          { title: 'Visits', value: ({ referrals }: Operator) => referrals, isNumber: true },
          {
            title: 'Visits before',
            value: ({ previous }: Operator) =>
              hasBefore(answer, address) ? (previous?.referrals ?? null) : null,
            isNumber: true,
          },
          {
            title: 'For answers, per visit',
            value: ({ fetches, fetches_per_visit }: Operator) => perVisit(fetches, fetches_per_visit),
            isNumber: true,
          },
          {
            title: 'All reads, per visit',
            value: readsPerVisit,
            isNumber: true,
          },
          {
            title: 'Landed on an error',
            value: ({ error_landings }: Operator) => error_landings,
            isNumber: true,
          },
        ],
      })}
    >
      {(answer) => (
        <BarList
          label="AI operators from reads to visits"
          tone="ai"
          heads={[
            'Operator',
            'For answers',
            'Training',
            'Citations',
            'Visits',
            'Before',
            'For answers, per visit',
            'All reads, per visit',
            'Errors',
          ]}
          onPick={pick}
          bars={answer.operators.map((operator) => ({
            key: operator.operator,
            label: (
              <>
                <b>{logText(operator.operator)}</b> <small>{operator.bots.map(logText).join(', ')}</small>
              </>
            ),
            value: operator.fetches,
            isSelected: address.rest.operator === operator.operator,
            cells: [
              short(operator.training_requests),
              short(operator.citations),
              <b>{short(operator.referrals)}</b>,
              short(hasBefore(answer, address) ? operator.previous?.referrals : null),
              exact(perVisit(operator.fetches, operator.fetches_per_visit)),
              exact(readsPerVisit(operator)),
              <span class={operator.error_landings > 0 ? 'bad' : ''}>{short(operator.error_landings)}</span>,
            ],
          }))}
        />
      )}
    </Card>
  );
}
