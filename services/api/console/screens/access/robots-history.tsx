import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { moment } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';

type Robots = Answer<'getRobots'>;
type Version = Robots['history'][number];

const HASH_SHOWN = 12;
const column = columnsOf<Version>();

/** Versions of robots.txt, newest first. */
export function RobotsHistory({ robots }: { readonly robots: ReadState<Robots> }) {
  return (
    <Card
      title="Versions of robots.txt"
      caption="by the SHA-256 of the file"
      read={robots}
      empty={{ when: ({ history }) => history.length === 0, text: 'No version was fetched yet.' }}
      table={({ history }) => ({
        caption: 'Versions of robots.txt',
        rows: history,
        columns: [
          column.text('From', 'from', ({ from }) => moment(from)),
          column.text('Until', 'until', ({ until }) =>
            until === null ? <b class="good">in force</b> : moment(until),
          ),
          column.text('Version', 'hash', ({ hash }) =>
            hash === null ? 'no file' : <code>{hash.slice(0, HASH_SHOWN)}</code>,
          ),
        ],
      })}
    />
  );
}
