import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { FigureTiles } from '../../charts/figure-tiles.js';
import { StatusMix } from '../../charts/status-mix.js';
import { exact, moment, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';

type Page = Answer<'getStatusConsistency'>['pages'][number];

const MOST_ROWS = 40;

/** Pages that search crawlers did not always get, the one to repair first at the top. */
export function ConsistencyTab() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const read = useRead(
    'getStatusConsistency',
    website,
    { ...scopeOf(address), limit: 500 },
    { when: website !== null },
  );
  return (
    <>
      <FigureTiles
        read={read}
        count={5}
        tiles={({ summary, min_requests }) => [
          {
            title: 'Pages checked',
            figure: short(summary.total_pages_checked),
            note: `with at least ${min_requests} requests`,
          },
          { title: 'Always 2xx or 304', figure: short(summary.healthy) },
          { title: 'Not always', figure: short(summary.total_not_always_2xx) },
          {
            title: 'Answers change',
            figure: short(summary.total_inconsistent),
            note: 'more than one class of status',
          },
          { title: 'Critical', figure: short(summary.critical), note: 'a large share fails' },
        ]}
      />
      <Card
        title="Pages that do not always answer 2xx or 304"
        caption="the page to repair first at the top"
        read={read}
        empty={{
          when: ({ pages }) => pages.length === 0,
          text: 'Search crawlers always received 2xx or 304 from the pages checked.',
        }}
        table={({ pages }) => ({
          caption: 'Pages that do not always answer 2xx or 304',
          rows: pages,
          columns: [
            {
              title: 'Path',
              value: ({ path }: Page) => path,
              show: ({ path }: Page) => <PathLink path={path} />,
            },
            { title: 'Requests', value: ({ total_requests }: Page) => total_requests, isNumber: true },
            { title: 'Statuses', value: statusesOf },
            { title: 'Not 2xx, %', value: ({ non_2xx_pct }: Page) => non_2xx_pct, isNumber: true },
            { title: 'Same class, %', value: ({ consistency_pct }: Page) => consistency_pct, isNumber: true },
            { title: 'Impact', value: ({ impact_score }: Page) => impact_score, isNumber: true },
            { title: 'Last', value: ({ last_non_2xx }: Page) => last_non_2xx },
          ],
        })}
      >
        {(answer) => (
          <>
            <BarList
              label="Pages that do not always answer 2xx or 304"
              tone="bad"
              heads={['Page', 'Impact', 'Requests', 'Status', 'Statuses', 'Failed', 'Last']}
              bars={answer.pages.slice(0, MOST_ROWS).map((page) => ({
                key: page.path,
                label: <PathLink path={page.path} />,
                value: page.impact_score,
                cells: [
                  short(page.total_requests),
                  <StatusMix counts={page} />,
                  statusesOf(page),
                  percent(page.non_2xx_pct),
                  moment(page.last_non_2xx),
                ],
              }))}
            />
            <p class="note">
              {short(Math.min(MOST_ROWS, answer.pages.length))} of{' '}
              {short(answer.summary.total_not_always_2xx)} pages; the table has {short(answer.pages.length)}.
              Counted: {answer.crawl_basis} requests, {exact(answer.verified_requests)} verified and{' '}
              {exact(answer.unproved_requests)} unproved in the window.
            </p>
          </>
        )}
      </Card>
    </>
  );
}

function statusesOf({ statuses }: Page): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status} × ${short(count)}`)
    .join(', ');
}
