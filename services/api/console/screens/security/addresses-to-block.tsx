import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { ago, logText } from '../../format.js';
import { Card } from '../../parts/card.js';
import { FirstRows } from '../../parts/first-rows.js';
import { Badges } from './badges.js';

type Recommendations = Answer<'getRecommendations'>;
type Item = Recommendations['ips_to_block'][number];

const ROWS_AT_FIRST = 12;

/** Addresses that probe, scrape or pose as crawlers. The list has no search engine's address. */
export function AddressesToBlock({ read }: { readonly read: ReadState<Recommendations> }) {
  const { link } = useAddress();
  return (
    <Card
      title="Addresses to block"
      caption="probes, scrapers, impostors · the 50 of highest score; the configuration lists all"
      read={read}
      empty={{
        when: ({ ips_to_block }) => ips_to_block.length === 0,
        text: 'No address of this window is worth blocking.',
      }}
      table={({ ips_to_block }) => ({
        caption: 'Addresses to block',
        rows: ips_to_block,
        columns: [
          { title: 'Address', value: ({ ip }: Item) => ip },
          { title: 'Network', value: ({ as_name }: Item) => as_name },
          { title: 'Country', value: ({ country }: Item) => country },
          { title: 'Requests', value: ({ request_count }: Item) => request_count, isNumber: true },
          { title: 'Score', value: ({ score }: Item) => score, isNumber: true },
          { title: 'Reasons', value: ({ reason_badges }: Item) => reason_badges.join(', ') },
          { title: 'User agent', value: ({ sample_user_agent }: Item) => sample_user_agent ?? null },
          { title: 'Last seen', value: ({ last_seen }: Item) => last_seen },
        ],
      })}
    >
      {({ ips_to_block }) => (
        <FirstRows rows={ips_to_block} first={ROWS_AT_FIRST}>
          {(shown) => (
            <BarList
              label="Addresses to block"
              tone="bad"
              heads={['Address', 'Requests', 'Last seen']}
              bars={shown.map((item) => ({
                key: item.key,
                label: (
                  <>
                    <a class="path" href={link({ rest: { tab: 'addresses', ip: item.ip } })}>
                      {logText(item.ip)}
                    </a>{' '}
                    <small>{logText(item.as_name ?? '')}</small> <Badges names={item.reason_badges} />
                    <small class="path">{(item.sample_paths ?? []).slice(0, 3).map(logText).join(' ')}</small>
                  </>
                ),
                value: item.request_count,
                cells: [ago(item.last_seen)],
              }))}
            />
          )}
        </FirstRows>
      )}
    </Card>
  );
}
