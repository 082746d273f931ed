import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { type ReadState, useRead } from '../../api/use-read.js';
import { exact, logText } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { useWebsite } from '../../parts/website.js';
import { groupOf, policyOf } from './policy.js';

type Robots = Answer<'getRobots'>;
type Bot = Answer<'getBotsAccess'>['bots'][number];

/** A crawler with the policy of robots.txt and the answers of the server. */
interface Practice {
  readonly bot: string;
  readonly group: string | null;
  readonly policy: string;
  readonly served: number;
  readonly rejected: number;
  readonly payment: number;
  readonly against: number | null;
}

/** Categories whose bots obey robots.txt. Previews, feed readers, monitoring and tools do not. */
const OBEYING: ReadonlySet<string> = new Set(['search', 'ai', 'seo', 'archive', 'advertising']);
const ROWS_AT_FIRST = 12;
const column = columnsOf<Practice>();

/** Policy against practice: what robots.txt says to a crawler, what it asked for all the same, and what it got. */
export function CrawlersAndRules({ robots }: { readonly robots: ReadState<Robots> }) {
  const { address, toggleFilter } = useAddress();
  const { website } = useWebsite();
  const access = useRead('getBotsAccess', website, scopeOf(address), { when: website !== null });
  return (
    <Card
      title="Policy against practice"
      caption="robots.txt of today · answers of the window · requests of proven impostors are left out"
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
          column.text('Policy', 'policy'),
          column.number('Served', 'served'),
          column.number('Rejected', 'rejected', ({ rejected }) => (
            <span class={rejected > 0 ? 'warn' : ''}>{exact(rejected)}</span>
          )),
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
  const all = (row: Practice) => row.served + row.rejected + row.payment;
  return crawlersOf(bots)
    .map((bot) => practiceOf(bot, robots))
    .toSorted((a, b) => (b.against ?? 0) - (a.against ?? 0) || all(b) - all(a));
}

function practiceOf(bot: Bot, robots: Robots | null): Practice {
  const groups = robots?.rule_groups ?? null;
  const group = groups === null ? null : groupOf(bot.bot_name, groups);
  const summary = robots?.violation_summary ?? null;
  const real = ({ requests, spoofed }: Bot['served']) => requests - spoofed;
  return {
    bot: bot.bot_name,
    group: group?.user_agent ?? null,
    policy: policyOf(groups, group),
    served: real(bot.served),
    rejected: real(bot.rejected),
    payment: real(bot.payment_required),
    against:
      summary === null ? null : (new Map(Object.entries(summary)).get(bot.bot_name)?.total_requests ?? 0),
  };
}
