import type { ComponentChildren } from 'preact';
import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { logText, percent } from '../../format.js';
import { Card } from '../../parts/card.js';
import { useWebsite } from '../../parts/website.js';
import { Verdict } from '../requests/who.js';

type Ips = Answer<'getIps'>;
type Ip = Ips['ips'][number];
type Range = Ips['ip_ranges'][number];

const MOST_ROWS = 25;
const MOST_CLAIMS = 3;

/** The addresses with most requests, and the networks of clients that use many addresses. */
export function TopAddresses() {
  const { address, link } = useAddress();
  const { website } = useWebsite();
  const read = useRead('getIps', website, scopeOf(address), { when: website !== null });
  return (
    <div class="columns">
      <Card
        title="Addresses"
        caption="requests · failed"
        read={read}
        empty={{ when: ({ ips }) => ips.length === 0, text: 'No request of this window has an address.' }}
        table={({ ips }) => tableOf('Addresses', ips, ({ client_ip }: Ip) => client_ip)}
      >
        {({ ips }) => (
          <Rows
            label="Addresses"
            rows={ips}
            keyOf={({ client_ip }) => client_ip}
            labelOf={({ client_ip }) => (
              <a class="path" href={link({ rest: { ...address.rest, ip: client_ip } })}>
                {logText(client_ip)}
              </a>
            )}
          />
        )}
      </Card>
      <Card
        title="Networks"
        caption="/24 of IPv4, /48 of IPv6"
        read={read}
        empty={{
          when: ({ ip_ranges }) => ip_ranges.length === 0,
          text: 'No request of this window has an address.',
        }}
        table={({ ip_ranges }) => tableOf('Networks', ip_ranges, ({ ip_range }: Range) => ip_range)}
      >
        {({ ip_ranges }) => (
          <Rows
            label="Networks"
            rows={ip_ranges}
            keyOf={({ ip_range }) => ip_range}
            labelOf={({ ip_range, unique_ips }) => (
              <>
                <span class="path">{logText(ip_range)}</span> <small>{unique_ips} addresses</small>
              </>
            )}
          />
        )}
      </Card>
    </div>
  );
}

function Rows<Row extends Ip | Range>({
  label,
  rows,
  keyOf,
  labelOf,
}: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly labelOf: (row: Row) => ComponentChildren;
}) {
  return (
    <BarList
      label={label}
      tone="other"
      heads={[label, 'Requests', 'Failed']}
      bars={rows.slice(0, MOST_ROWS).map((row) => ({
        key: keyOf(row),
        label: (
          <>
            {labelOf(row)}{' '}
            <small>
              {logText(row.as_name ?? '')} {row.country ?? ''}
            </small>
            <Claims claims={row.claims} />
          </>
        ),
        value: row.requests,
        cells: [<span class={row.error_rate_pct > 50 ? 'bad' : ''}>{percent(row.error_rate_pct)}</span>],
      }))}
    />
  );
}

function Claims({ claims }: { readonly claims: Ip['claims'] }) {
  if (claims.length === 0) return null;
  return (
    <span class="claims">
      {claims.slice(0, MOST_CLAIMS).map(({ bot_name, bot_verification_status }) => (
        <span key={`${bot_name} ${bot_verification_status}`}>
          {logText(bot_name)} <Verdict status={bot_verification_status} />
        </span>
      ))}
      {claims.length > MOST_CLAIMS ? ` and ${claims.length - MOST_CLAIMS} more` : ''}
    </span>
  );
}

function tableOf<Row extends Ip | Range>(
  caption: string,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
) {
  return {
    caption,
    rows,
    columns: [
      { title: caption, value: nameOf },
      { title: 'Network', value: ({ as_name }: Row) => as_name },
      { title: 'Country', value: ({ country }: Row) => country },
      { title: 'Requests', value: ({ requests }: Row) => requests, isNumber: true },
      { title: 'Of bots', value: ({ bot_requests }: Row) => bot_requests, isNumber: true },
      {
        title: 'Of undeclared agents',
        value: ({ undeclared_agent_requests }: Row) => undeclared_agent_requests,
        isNumber: true,
      },
      { title: '4xx', value: ({ status_4xx }: Row) => status_4xx, isNumber: true },
      { title: '5xx', value: ({ status_5xx }: Row) => status_5xx, isNumber: true },
      {
        title: 'Claims',
        value: ({ claims }: Row) =>
          claims.map(({ bot_name, bot_verification_status: status }) => `${bot_name}: ${status}`).join(', '),
      },
      { title: 'First seen', value: ({ first_seen }: Row) => first_seen },
      { title: 'Last seen', value: ({ last_seen }: Row) => last_seen },
    ],
  };
}
