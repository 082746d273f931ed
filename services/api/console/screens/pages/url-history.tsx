import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { milliseconds, moment, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { DataTable, type Table } from '../../parts/data-table.js';
import { Pager, pageOf } from '../../parts/pager.js';
import { useWebsite } from '../../parts/website.js';

type History = Answer<'getUrlHistory'>;
type Event = History['events'][number];

const PAGE_SIZE = 25;
const AGENT = 'User agent';

/** Each fetch of the URL by search crawlers, newest first. */
export function UrlHistory({ path }: { readonly path: string }) {
  const { address } = useAddress();
  const { website } = useWebsite();
  const read = useRead(
    'getUrlHistory',
    website,
    { ...scopeOf(address), url_path: path, page: pageOf(address.rest.page), page_size: PAGE_SIZE },
    { when: website !== null },
  );
  return (
    <Card
      title="Fetches by search crawlers"
      caption="newest first"
      read={read}
      empty={{
        when: ({ events }) => events.length === 0,
        text: 'No search crawler fetched this URL in this window.',
      }}
      table={tableOf}
    >
      {(answer) => (
        <>
          <p class="note">
            {short(answer.total_crawls)} fetches: {short(answer.verified_requests)} verified,{' '}
            {short(answer.unproved_requests)} unproved.
          </p>
          <DataTable table={withoutAgent(tableOf(answer))} />
          <Pager page={answer.page ?? 1} pages={answer.total_pages ?? 1} label="Pages of fetches" />
        </>
      )}
    </Card>
  );
}

/** The list leaves out the user agent, which takes three lines a row. The table view has it. */
function withoutAgent(table: Table): Table {
  return { ...table, columns: table.columns.filter(({ title }) => title !== AGENT) };
}

function tableOf({ events }: History): Table {
  return {
    caption: 'Fetches of the URL by search crawlers',
    rows: events,
    columns: [
      {
        title: 'Time',
        value: ({ timestamp }: Event) => timestamp,
        show: ({ timestamp }: Event) => <time dateTime={timestamp}>{moment(timestamp)}</time>,
      },
      { title: 'Crawler', value: ({ bot_name }: Event) => bot_name },
      { title: 'Proof', value: ({ bot_verification_status }: Event) => bot_verification_status },
      {
        title: 'Status',
        value: ({ status }: Event) => status,
        show: ({ status }: Event) => <span class={status >= 400 ? 'bad' : ''}>{status}</span>,
        isNumber: true,
      },
      { title: 'Method', value: ({ method }: Event) => method },
      { title: 'Query string', value: ({ query }: Event) => query },
      {
        title: 'Time taken',
        value: ({ response_time_ms }: Event) => response_time_ms,
        show: ({ response_time_ms }: Event) => milliseconds(response_time_ms),
        isNumber: true,
      },
      { title: 'Country', value: ({ country }: Event) => country },
      { title: AGENT, value: ({ user_agent }: Event) => user_agent },
    ],
  };
}
