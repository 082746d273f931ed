import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { BarList } from '../../charts/bar-list.js';
import { ago, logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { FirstRows } from '../../parts/first-rows.js';
import { dnsText, useVerification } from '../../parts/waiting-claims.js';
import { Badges } from './badges.js';

type Recommendations = Answer<'getRecommendations'>;
type Item = Recommendations['unverified_bots'][number];

const ROWS_AT_FIRST = 12;
const MOST_SAMPLES = 3;

/** Addresses that use the name of a crawler which is not theirs. */
export function Impostors({ read }: { readonly read: ReadState<Recommendations> }) {
  const { address, link, toggleFilter } = useAddress();
  const verification = useVerification();
  const suspicious = (verification?.waiting ?? []).filter(({ outside_ranges }) => outside_ranges);
  return (
    <Card
      title="Impostors"
      caption="forged: the claim to be this bot was disproved"
      read={read}
      empty={{
        when: ({ unverified_bots }) => unverified_bots.length === 0 && suspicious.length === 0,
        text: 'No claim was disproved in this window. Claims that nobody can check are under “Access of bots”.',
      }}
      table={({ unverified_bots }) => ({
        caption: 'Impostors',
        rows: unverified_bots,
        columns: [
          { title: 'Claims to be', value: ({ claimed_bot }: Item) => claimed_bot },
          { title: 'Address', value: ({ ip }: Item) => ip },
          { title: 'Network', value: ({ as_name }: Item) => as_name },
          { title: 'Country', value: ({ country }: Item) => country },
          { title: 'Requests', value: ({ request_count }: Item) => request_count, isNumber: true },
          { title: 'Score', value: ({ score }: Item) => score, isNumber: true },
          { title: 'Last seen', value: ({ last_seen }: Item) => last_seen },
        ],
      })}
    >
      {({ unverified_bots }) => (
        <>
          {unverified_bots.length > 0 ? null : (
            <p>No claim was disproved in this window, but some are not decided.</p>
          )}
          <Suspicious claims={suspicious} since={verification === null ? '' : dnsText(verification)} />
          {unverified_bots.length === 0 ? null : (
            <FirstRows rows={unverified_bots} first={ROWS_AT_FIRST}>
              {(shown) => (
                <BarList
                  label="Impostors"
                  tone="bad"
                  heads={['Claims to be', 'Requests', 'Last seen']}
                  bars={shown.map((item) => ({
                    key: item.key,
                    label: (
                      <>
                        <button
                          type="button"
                          class="pick"
                          onClick={() => toggleFilter('bot', item.claimed_bot)}
                        >
                          <b>{logText(item.claimed_bot)}</b>
                        </button>{' '}
                        <a class="path" href={link({ rest: { tab: 'addresses', ip: item.ip } })}>
                          {logText(item.ip)}
                        </a>{' '}
                        <small>{logText(item.as_name ?? '')}</small> <Badges names={item.reason_badges} />
                      </>
                    ),
                    value: item.request_count,
                    isSelected: address.filters.bot === item.claimed_bot,
                    cells: [ago(item.last_seen)],
                  }))}
                />
              )}
            </FirstRows>
          )}
        </>
      )}
    </Card>
  );
}

type Claim = Answer<'getSetup'>['verification']['waiting'][number];

/** Claims from outside the addresses that the operator publishes: impostors, unless reverse DNS proves them. */
function Suspicious({ claims, since }: { readonly claims: readonly Claim[]; readonly since: string }) {
  const { link } = useAddress();
  if (claims.length === 0) return null;
  return (
    <>
      <h3>Suspicious, last 30 days</h3>
      <p class="note">Outside the published ranges; {since}.</p>
      <BarList
        label="Suspicious claims"
        tone="other"
        heads={['Claims to be', 'Requests', 'Addresses', 'Since']}
        bars={claims.map(({ bot_name, requests, addresses, sample_ips, since: first }) => ({
          key: bot_name,
          label: (
            <>
              <b>{logText(bot_name)}</b>{' '}
              {sample_ips.slice(0, MOST_SAMPLES).map((ip) => (
                <a key={ip} class="path" href={link({ rest: { tab: 'addresses', ip } })}>
                  {logText(ip)}{' '}
                </a>
              ))}
            </>
          ),
          value: requests,
          cells: [short(addresses), ago(first)],
        }))}
      />
    </>
  );
}
