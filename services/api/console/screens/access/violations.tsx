import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { logText, moment } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { PathLink } from '../../parts/path-link.js';

type Robots = Answer<'getRobots'>;
type Violation = Robots['violations'][number];

const ROWS_AT_FIRST = 10;
const column = columnsOf<Violation>();

/** Requests of proved crawlers that the version of their time disallowed. A click on a crawler filters by it. */
export function Violations({ robots }: { readonly robots: ReadState<Robots> }) {
  const { address, toggleFilter } = useAddress();
  return (
    <Card
      title="Requests against robots.txt"
      caption="verified crawlers only, by the version in force at the time"
      read={robots}
      empty={{
        when: ({ violations, judged_since }) => judged_since === null || violations.length === 0,
        text: 'No request of a verified crawler is known to be against robots.txt in this window.',
      }}
      table={(answer) => ({
        caption: 'Requests against robots.txt',
        first: ROWS_AT_FIRST,
        rows: answer.violations ?? [],
        columns: [
          column.text('Crawler', 'bot_name', ({ bot_name }) => (
            <button
              type="button"
              class="pick"
              aria-pressed={address.filters.bot === bot_name}
              onClick={() => toggleFilter('bot', bot_name)}
            >
              {logText(bot_name)}
            </button>
          )),
          column.text('Path', 'path', ({ path }) => <PathLink path={path} />),
          column.text('Rule', 'rule', ({ rule }) => <code>{logText(rule)}</code>),
          column.number('Requests', 'requests'),
          column.text('Last', 'last_seen', ({ last_seen }) => moment(last_seen)),
        ],
      })}
    />
  );
}
