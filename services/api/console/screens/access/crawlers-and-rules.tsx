import type { ComponentChildren } from 'preact';
import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { codeText, exact, logText } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import type { Column } from '../../parts/data-table.js';
import { useWebsite } from '../../parts/website.js';
import { groupOf, policyOf } from './policy.js';

type Robots = Answer<'getRobots'>;
type Bot = Answer<'getBotsAccess'>['bots'][number];

/** Requests of proved addresses, and undecided claims. Proven impostors are in neither. */
interface Split {
  readonly verified: number;
  readonly unproved: number;
}

/** A crawler with the policy of robots.txt and the answers of the server. */
interface Practice {
  readonly bot: string;
  readonly group: string | null;
  readonly policy: string;
  /** The rules of the group, as in the file. */
  readonly rules: readonly string[];
  readonly served: Split;
  readonly rejected: Split;
  /** Statuses of the rejections, most frequent first. */
  readonly statuses: readonly string[];
  readonly payment: number;
  readonly against: number | null;
}

/** Categories whose bots obey robots.txt. Previews, feed readers, monitoring and tools do not. */
const OBEYING: ReadonlySet<string> = new Set(['search', 'ai', 'seo', 'archive', 'advertising']);
const ROWS_AT_FIRST = 12;
const MOST_STATUSES = 2;
const MOST_RULES = 100;
const column = columnsOf<Practice>();

/** Policy against practice: what robots.txt says to a crawler, what it asked for all the same, and what it got. */
export function CrawlersAndRules({ robots }: { readonly robots: ReadState<Robots> }) {
  const { address, toggleFilter } = useAddress();
  const { website } = useWebsite();
  const access = useRead('getBotsAccess', website, scopeOf(address), { when: website !== null });
  return (
    <Card
      title="Policy against practice"
      caption="robots.txt of today · answers of the window · unproved: the crawler’s name from an address that is not proved · proven impostors are left out"
      read={access}
      empty={{ when: ({ bots }) => crawlersOf(bots).length === 0, text: 'No crawler came in this window.' }}
      table={({ bots }) => ({
        caption: 'Policy against practice',
        first: ROWS_AT_FIRST,
        rows: practices(bots, robots.answer),
        columns: [
          column.text('Crawler', 'bot', ({ bot }) => (
            <button
              type="button"
              class="pick"
              aria-pressed={address.filters.bot === bot}
              onClick={() => toggleFilter('bot', bot)}
            >
              {logText(bot)}
            </button>
          )),
          column.text('Group in robots.txt', 'group', ({ group }) =>
            group === null ? 'none' : <code>{logText(group)}</code>,
          ),
          column.text('Policy', 'policy', (row) => <Policy row={row} />),
          split('Served, verified', ({ served }) => served.verified),
          split('Served, unproved', ({ served }) => served.unproved),
          split(
            'Rejected, verified',
            ({ rejected }) => rejected.verified,
            (row) => <Requests row={row} isVerified count={row.rejected.verified} />,
          ),
          split(
            'Rejected, unproved',
            ({ rejected }) => rejected.unproved,
            (row) => <Requests row={row} isVerified={false} count={row.rejected.unproved} />,
          ),
          column.number('402', 'payment'),
          column.number('Against robots.txt', 'against', ({ against }) => (
            <span class={(against ?? 0) > 0 ? 'bad' : ''}>{exact(against)}</span>
          )),
        ],
      })}
    />
  );
}

function crawlersOf(bots: readonly Bot[]): Bot[] {
  return bots.filter(({ bot_category }) => OBEYING.has(bot_category));
}

/** Those with requests against robots.txt first, then by requests. */
function practices(bots: readonly Bot[], robots: Robots | null): Practice[] {
  const all = ({ served, rejected, payment }: Practice) =>
    served.verified + served.unproved + rejected.verified + rejected.unproved + payment;
  return crawlersOf(bots)
    .map((bot) => practiceOf(bot, robots))
    .toSorted((a, b) => (b.against ?? 0) - (a.against ?? 0) || all(b) - all(a));
}

function practiceOf(bot: Bot, robots: Robots | null): Practice {
  const groups = robots?.rule_groups ?? null;
  const group = groups === null ? null : groupOf(bot.bot_name, groups);
  const summary = robots?.violation_summary ?? null;
  return {
    bot: bot.bot_name,
    group: group?.user_agent ?? null,
    policy: policyOf(groups, group),
    rules: (group?.rules ?? [])
      .filter(({ path }) => path !== '')
      .map(({ type, path }) => `${type === 'allow' ? 'Allow' : 'Disallow'}: ${path}`),
    served: splitOf(bot.served),
    rejected: splitOf(bot.rejected),
    statuses: Object.entries(bot.rejected_by_status)
      .toSorted(([, a], [, b]) => b - a)
      .map(([status]) => status),
    payment: bot.payment_required.requests - bot.payment_required.spoofed,
    against:
      summary === null ? null : (new Map(Object.entries(summary)).get(bot.bot_name)?.total_requests ?? 0),
  };
}

function splitOf({ verified, unverified, spoofed }: Bot['served']): Split {
  return { verified, unproved: unverified - spoofed };
}

function split(
  title: string,
  value: (row: Practice) => number,
  show: (row: Practice) => ComponentChildren = (row) => exact(value(row)),
): Column {
  return { title, value, show, isNumber: true };
}

/** A number of rejections with links to their requests, one for each status. The search has no filter for unproved ones. */
function Requests({
  row: { bot, statuses },
  isVerified,
  count,
}: {
  readonly row: Practice;
  readonly isVerified: boolean;
  readonly count: number;
}) {
  const { link } = useAddress();
  if (count === 0) return <>{exact(0)}</>;
  return (
    <>
      <span class={isVerified ? 'bad' : ''}>{exact(count)}</span>{' '}
      <small>
        {statuses.slice(0, MOST_STATUSES).map((status) => (
          <a
            key={status}
            href={link({ screen: 'requests', filters: { bot, status }, verified: isVerified })}
            title={isVerified ? 'verified requests' : 'requests, verified ones too'}
          >
            {status}{' '}
          </a>
        ))}
      </small>
    </>
  );
}

function Policy({ row: { policy, rules } }: { readonly row: Practice }) {
  if (rules.length === 0) return <>{policy}</>;
  return (
    <details>
      <summary>{policy}</summary>
      <pre>
        <code>{codeText(rules.slice(0, MOST_RULES).join('\n'))}</code>
      </pre>
    </details>
  );
}
