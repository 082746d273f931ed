import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { StatusMix } from '../../charts/status-mix.js';
import { percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { PathLink } from '../../parts/path-link.js';

type Page = Answer<'getLlms'>['pages'][number];

const MOST_ROWS = 15;

/** Pages that AI crawlers ask for most, and how they are answered. */
export function AiPages({ llms }: { readonly llms: ReadState<Answer<'getLlms'>> }) {
  return (
    <Card
      title="Pages that AI crawlers ask for"
      caption="refused: 401, 402, 403, 429, 451 · failed: other 4xx and 5xx"
      read={llms}
      empty={{
        when: ({ pages }) => pages.length === 0,
        text: 'No AI crawler asked for a page in this window.',
      }}
      table={({ pages }) => ({
        caption: 'Pages that AI crawlers ask for',
        rows: pages,
        columns: [
          {
            title: 'Path',
            value: ({ path }: Page) => path,
            show: ({ path }: Page) => <PathLink path={path} />,
          },
          { title: 'Requests', value: ({ requests }: Page) => requests, isNumber: true },
          { title: 'Crawlers', value: ({ unique_bots }: Page) => unique_bots, isNumber: true },
          { title: '2xx', value: ({ status_2xx }: Page) => status_2xx, isNumber: true },
          { title: '3xx', value: ({ status_3xx }: Page) => status_3xx, isNumber: true },
          { title: '4xx', value: ({ status_4xx }: Page) => status_4xx, isNumber: true },
          { title: 'Refused', value: refusedOf, isNumber: true },
          { title: '5xx', value: ({ status_5xx }: Page) => status_5xx, isNumber: true },
        ],
      })}
    >
      {({ pages, total_pages_requested }) => (
        <>
          <BarList
            label="Pages that AI crawlers ask for"
            tone="ai"
            heads={['Path', 'Requests', 'Crawlers', 'Status', 'Refused', 'Failed']}
            bars={pages.slice(0, MOST_ROWS).map((page) => ({
              key: page.path,
              label: <PathLink path={page.path} />,
              value: page.requests,
              cells: [
                short(page.unique_bots),
                <StatusMix counts={page} />,
                percent(shareOf(refusedOf(page), page)),
                <Failed page={page} />,
              ],
            }))}
          />
          <p class="note">
            {short(Math.min(MOST_ROWS, pages.length))} of {short(total_pages_requested)} pages asked for. The
            table has {short(pages.length)}.
          </p>
        </>
      )}
    </Card>
  );
}

/** Answered on purpose with a refusal or an offer. */
function refusedOf({ rejected_requests, payment_required_requests }: Page): number {
  return rejected_requests + payment_required_requests;
}

function shareOf(part: number, { requests }: Page): number {
  return requests === 0 ? 0 : Math.round((part / requests) * 1_000) / 10;
}

function Failed({ page }: { readonly page: Page }) {
  const share = shareOf(page.status_4xx + page.status_5xx - refusedOf(page), page);
  return <span class={share > 0 ? 'bad' : ''}>{percent(share)}</span>;
}
