import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { Forged } from '../../parts/waiting-claims.js';
import { useWebsite } from '../../parts/website.js';

type Crawler = Answer<'getSeo'>['top_crawlers'][number];

const MOST_ROWS = 8;

/** Search crawlers with how many of their requests are proved. A click filters every figure by the crawler. */
export function SearchCrawlers() {
  const { address, toggleFilter } = useAddress();
  const { website } = useWebsite();
  const seo = useRead('getSeo', website, scopeOf(address), { when: website !== null });
  return (
    <Card
      title="Search crawlers"
      caption="requests · verified · unproved · forged"
      read={seo}
      empty={{
        when: ({ top_crawlers }) => top_crawlers.length === 0,
        text: 'No search crawler came in this window.',
      }}
      table={({ top_crawlers }) => ({
        caption: 'Search crawlers',
        rows: top_crawlers,
        columns: [
          { title: 'Crawler', value: ({ bot_name }: Crawler) => bot_name },
          { title: 'Requests', value: ({ requests }: Crawler) => requests, isNumber: true },
          { title: 'Verified', value: ({ verified_requests }: Crawler) => verified_requests, isNumber: true },
          { title: 'Unproved', value: ({ unproved_requests }: Crawler) => unproved_requests, isNumber: true },
          {
            title: 'Forged',
            value: ({ unverified_suspicious }: Crawler) => unverified_suspicious,
            isNumber: true,
          },
          { title: 'Last seen', value: ({ last_seen }: Crawler) => last_seen },
        ],
      })}
    >
      {({ top_crawlers }) => (
        <BarList
          label="Search crawlers"
          tone="search"
          heads={['Crawler', 'Requests', 'Verified', 'Unproved', 'Forged']}
          onPick={(name) => toggleFilter('bot', name)}
          bars={top_crawlers.slice(0, MOST_ROWS).map((crawler) => ({
            key: crawler.bot_name,
            label: crawler.bot_name,
            value: crawler.requests,
            isSelected: address.filters.bot === crawler.bot_name,
            cells: [
              <span class="good">{short(crawler.verified_requests)}</span>,
              short(crawler.unproved_requests),
              <Forged count={crawler.unverified_suspicious} bot={crawler.bot_name} />,
            ],
          }))}
        />
      )}
    </Card>
  );
}
