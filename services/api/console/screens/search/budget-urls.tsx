import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { exact, logText, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { Pager, pageOf } from '../../parts/pager.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';

type Url = Answer<'getBudgetUrls'>['urls'][number];

const PAGE_SIZE = 25;

/** All URLs of the chosen directory, by pages. */
export function BudgetUrls() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const { directory = '/' } = address.filters;
  const urls = useRead(
    'getBudgetUrls',
    website,
    { ...scopeOf(address), directory, page: pageOf(address.rest.page), page_size: PAGE_SIZE },
    { when: website !== null },
  );
  return (
    <Card
      title={`URLs in ${logText(directory)}`}
      read={urls}
      empty={{
        when: (answer) => answer.urls.length === 0,
        text: 'No search crawler fetched a URL of it in this window.',
      }}
      table={(answer) => ({
        caption: 'URLs of the directory',
        rows: answer.urls,
        columns: [
          { title: 'Path', value: ({ path }: Url) => path },
          { title: 'Requests', value: ({ requests }: Url) => requests, isNumber: true },
          { title: 'Verified', value: ({ verified_requests }: Url) => verified_requests, isNumber: true },
          { title: 'Unproved', value: ({ unproved_requests }: Url) => unproved_requests, isNumber: true },
          { title: 'Share, %', value: ({ percentage }: Url) => percentage, isNumber: true },
          { title: 'A day', value: ({ daily_avg }: Url) => daily_avg, isNumber: true },
        ],
      })}
    >
      {(answer) => (
        <>
          <p class="note">
            {short(answer.total_requests)} requests for {short(answer.total)} URLs.
          </p>
          <BarList
            label="URLs of the directory"
            tone="search"
            heads={['Path', 'Requests', 'Verified', 'Unproved', 'Share', 'A day']}
            bars={answer.urls.map((url) => ({
              key: url.path,
              label: <PathLink path={url.path} />,
              value: url.requests,
              cells: [
                <span class="good">{short(url.verified_requests)}</span>,
                short(url.unproved_requests),
                percent(url.percentage),
                exact(url.daily_avg),
              ],
            }))}
          />
          <Pager page={answer.page ?? 1} pages={answer.total_pages ?? 1} label="Pages of URLs" />
        </>
      )}
    </Card>
  );
}
