import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { exact, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { PathLink } from '../../parts/path-link.js';

type Discovery = Answer<'getAiFunnel'>['discovery'];
type Page = NonNullable<Discovery['pages']>[number];

const MOST_ROWS = 10;

/** Pages that a search engine shows and that no AI answer bot fetched. */
export function NeverFetched({ funnel }: { readonly funnel: ReadState<Answer<'getAiFunnel'>> }) {
  const { link } = useAddress();
  return (
    <Card
      title="Shown by search, never fetched by AI"
      caption="impressions · clicks · position, 28 days"
      read={funnel}
      empty={{
        when: ({ discovery }) => discovery.pages?.length === 0,
        text: 'AI answer bots fetched each page that search shows.',
      }}
      table={({ discovery }) => ({
        caption: 'Pages shown by search and never fetched by AI',
        rows: discovery.pages ?? [],
        columns: [
          {
            title: 'Path',
            value: ({ path }: Page) => path,
            show: ({ path }: Page) => <PathLink path={path} />,
          },
          { title: 'Impressions', value: ({ impressions_28d }: Page) => impressions_28d, isNumber: true },
          { title: 'Clicks', value: ({ clicks_28d }: Page) => clicks_28d, isNumber: true },
          { title: 'Position', value: ({ avg_position }: Page) => avg_position, isNumber: true },
        ],
      })}
    >
      {({ discovery }) =>
        discovery.pages === null ? (
          <p class="empty">
            {discovery.sc_connected
              ? `Not available: ${String(discovery.reason).replaceAll('_', ' ')}.`
              : 'No search console is connected.'}{' '}
            <a href={link({ screen: 'settings' })}>Connections</a>
          </p>
        ) : (
          <>
            <BarList
              label="Pages shown by search and never fetched by AI"
              tone="search"
              heads={['Page', 'Impressions', 'Clicks', 'Position']}
              bars={discovery.pages.slice(0, MOST_ROWS).map((page) => ({
                key: page.path,
                label: <PathLink path={page.path} />,
                value: page.impressions_28d,
                cells: [short(page.clicks_28d), exact(page.avg_position)],
              }))}
            />
            <p class="note">
              {short(discovery.never_fetched)} of the {short(discovery.checked)} pages with most impressions
              were not fetched in this window ({discovery.crawl_basis} requests).
            </p>
          </>
        )
      }
    </Card>
  );
}
