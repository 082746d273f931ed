import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { scopeOf, useAddress } from '../../address.js';
import { useRead } from '../../api/use-read.js';
import { moment, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { useWebsite } from '../../parts/website.js';
import { type FoundRequest, RequestTable } from './request-table.js';
import { SearchForm } from './search-form.js';

const PAGE = 100;

/** The API counts no total of a search, so only a complete list has one. */
function countText(count: number, cursor: string | undefined, next: string | null): string {
  if (cursor === undefined && next === null) return `${short(count)} requests in all`;
  return cursor === undefined ? `the ${short(count)} newest requests` : `${short(count)} older requests`;
}

/** Single requests of the window that meet every filter, newest first, page by page. */
export function RequestSearch() {
  const { address, link } = useAddress();
  const { route } = useLocation();
  const { website } = useWebsite();
  const { cursor } = address.rest;
  const read = useRead(
    'searchRequests',
    website,
    { ...scopeOf(address), ...address.requestFilters, limit: PAGE, cursor },
    // Rows that move away under a reader's eyes can't be read.
    { when: website !== null, every: null },
  );
  const { cursor: _, ...rest } = address.rest;
  const first = link({ rest });
  // A cursor is valid only for its own filters. With other filters, the search starts at the first page.
  const isOld = cursor !== undefined && !read.isLoading && read.problem?.kind === 'refused';
  useEffect(() => {
    if (isOld) route(first, true);
  }, [isOld, first]);
  return (
    <>
      <SearchForm />
      <Card
        title="Requests"
        caption="newest first"
        read={read}
        empty={{
          when: ({ requests }) => requests.length === 0,
          text: 'No request of this window meets all filters. Remove one, or choose a longer window.',
        }}
        table={({ requests }) => ({
          caption: 'Requests',
          rows: requests,
          columns: [
            { title: 'Time', value: ({ timestamp }: FoundRequest) => timestamp },
            { title: 'Address', value: ({ client_ip }: FoundRequest) => client_ip },
            { title: 'Method', value: ({ method }: FoundRequest) => method },
            { title: 'Host', value: ({ host }: FoundRequest) => host },
            { title: 'Path', value: ({ path }: FoundRequest) => path },
            { title: 'Query', value: ({ query }: FoundRequest) => query },
            { title: 'Status', value: ({ status }: FoundRequest) => status, isNumber: true },
            { title: 'ms', value: ({ time_taken_ms }: FoundRequest) => time_taken_ms, isNumber: true },
            { title: 'Bytes', value: ({ bytes_sent }: FoundRequest) => bytes_sent, isNumber: true },
            { title: 'Bot', value: ({ bot_name }: FoundRequest) => bot_name },
            {
              title: 'Verification',
              value: ({ bot_verification_status }: FoundRequest) => bot_verification_status,
            },
            { title: 'Country', value: ({ country }: FoundRequest) => country },
            { title: 'User agent', value: ({ user_agent }: FoundRequest) => user_agent },
          ],
        })}
      >
        {({ requests, next_cursor }) => (
          <>
            <RequestTable label="Requests" requests={requests} />
            <p class="pages">
              {countText(requests.length, cursor, next_cursor)}, {moment(requests.at(-1)?.timestamp)} to{' '}
              {moment(requests[0]?.timestamp)}
              {cursor === undefined ? null : <a href={first}>newest</a>}
              {next_cursor === null ? (
                <span>There are no older ones in this window.</span>
              ) : (
                <a href={link({ rest: { ...rest, cursor: next_cursor } })}>older →</a>
              )}
            </p>
          </>
        )}
      </Card>
    </>
  );
}
