import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { Delta, hasBefore } from '../../parts/delta.js';
import { Forged } from '../../parts/waiting-claims.js';
import { Intent } from './intent.js';

type Crawler = Answer<'getLlms'>['crawlers'][number];

/** Each AI crawler with its operator and intent. A click filters every figure by the crawler. */
export function AiCrawlers({ llms }: { readonly llms: ReadState<Answer<'getLlms'>> }) {
  const { address, toggleFilter } = useAddress();
  return (
    <Card
      title="AI crawlers"
      caption="served: 2xx, 3xx · refused: 401, 403, 429, 451 · to pay: 402 · a click filters"
      read={llms}
      empty={{ when: ({ crawlers }) => crawlers.length === 0, text: 'No AI crawler came in this window.' }}
      table={(answer) => ({
        caption: 'AI crawlers',
        rows: answer.crawlers,
        columns: [
          { title: 'Crawler', value: ({ bot_name }: Crawler) => bot_name },
          { title: 'Operator', value: ({ bot_operator }: Crawler) => bot_operator },
          { title: 'Intent', value: ({ intent }: Crawler) => intent },
          { title: 'Requests', value: ({ requests }: Crawler) => requests, isNumber: true },
          {
            title: 'Before',
            value: ({ previous_requests }: Crawler) =>
              hasBefore(answer, address) ? (previous_requests ?? null) : null,
            isNumber: true,
          },
          { title: 'Share of AI, %', value: ({ share_pct }: Crawler) => share_pct, isNumber: true },
          { title: 'Served', value: ({ served_requests }: Crawler) => served_requests, isNumber: true },
          { title: 'Refused', value: ({ rejected_requests }: Crawler) => rejected_requests, isNumber: true },
          {
            title: 'Asked to pay',
            value: ({ payment_required_requests }: Crawler) => payment_required_requests,
            isNumber: true,
          },
          { title: 'Other answers', value: ({ other_requests }: Crawler) => other_requests, isNumber: true },
          { title: 'Pages', value: ({ unique_pages }: Crawler) => unique_pages, isNumber: true },
          { title: 'Verified', value: ({ verified_count }: Crawler) => verified_count, isNumber: true },
          { title: 'Unproved', value: ({ unverified_count }: Crawler) => unverified_count, isNumber: true },
          { title: 'Forged', value: ({ spoofed_count }: Crawler) => spoofed_count, isNumber: true },
        ],
      })}
    >
      {({ crawlers }) => (
        <BarList
          label="AI crawlers"
          tone="ai"
          heads={[
            'Crawler',
            'Requests',
            'Intent',
            'Change',
            'Served',
            'Refused',
            'To pay',
            'Errors',
            'Pages served',
            'Verified',
            'Unproved',
            'Forged',
          ]}
          onPick={(name) => toggleFilter('bot', name)}
          bars={crawlers.map((crawler) => ({
            key: crawler.bot_name,
            label: (
              <>
                <b>{logText(crawler.bot_name)}</b> <small>{logText(crawler.bot_operator)}</small>{' '}
                <Barred crawler={crawler} />
              </>
            ),
            value: crawler.requests,
            isSelected: address.filters.bot === crawler.bot_name,
            cells: [
              <Intent of={crawler.intent} />,
              <Delta value={crawler.delta_pct} />,
              short(crawler.served_requests),
              <span class={crawler.rejected_requests > 0 ? 'warn' : ''}>
                {short(crawler.rejected_requests)}
              </span>,
              short(crawler.payment_required_requests),
              <span class={crawler.other_requests > 0 ? 'bad' : ''}>{short(crawler.other_requests)}</span>,
              short(crawler.unique_pages),
              <span class="good">{short(crawler.verified_count)}</span>,
              short(crawler.unverified_count),
              <Forged count={crawler.spoofed_count} bot={crawler.bot_name} />,
            ],
          }))}
        />
      )}
    </Card>
  );
}

/** Most requests were answered on purpose with a refusal, so that few pages were served. */
const MOSTLY = 0.5;

function Barred({ crawler }: { readonly crawler: Crawler }) {
  const { requests, rejected_requests, payment_required_requests } = crawler;
  if (requests === 0) return null;
  if (payment_required_requests / requests > MOSTLY) return <span class="verdict warn">asked to pay</span>;
  return rejected_requests / requests > MOSTLY ? <span class="verdict bad">blocked</span> : null;
}
