import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { ago, codeText, moment } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable, type Table } from '../../parts/data-table.js';

type Robots = Answer<'getRobots'>;
type Version = Robots['history'][number];

const HASH_SHOWN = 12;
const column = columnsOf<Version>();

/** When robots.txt changed, and the versions with their differences, newest first. */
export function RobotsHistory({ robots }: { readonly robots: ReadState<Robots> }) {
  return (
    <Card
      title="Versions of robots.txt"
      caption="as Loglane fetched them; a version counts from its first fetch"
      read={robots}
      empty={{ when: ({ history }) => history.length === 0, text: 'No version was fetched yet.' }}
      table={tableOf}
    >
      {(answer) => (
        <>
          <p>{changeText(answer)}</p>
          <DataTable table={tableOf(answer)} />
        </>
      )}
    </Card>
  );
}

function changeText({ history, fetched_at }: Robots): string {
  const [newest, before] = history;
  if (newest === undefined) return '';
  const checked = `last checked ${ago(fetched_at)}`;
  return before === undefined
    ? `First seen ${moment(newest.from)}, no change since; ${checked}.`
    : `Last changed ${moment(newest.from)}; ${checked}.`;
}

function tableOf({ history }: Robots): Table {
  return {
    caption: 'Versions of robots.txt',
    rows: history,
    columns: [
      column.text('From', 'from', ({ from }) => moment(from)),
      column.text('Until', 'until', ({ until }) =>
        until === null ? <b class="good">in force</b> : moment(until),
      ),
      column.text('Version', 'hash', ({ hash }) =>
        hash === null ? 'no file' : <code title={hash}>{hash.slice(0, HASH_SHOWN)}</code>,
      ),
      {
        title: 'Difference to the version before',
        value: ({ added_lines, removed_lines }: Version) => textOf(added_lines, removed_lines),
        show: (version: Version) => <Difference version={version} />,
      },
    ],
  };
}

function textOf(added: Version['added_lines'], removed: Version['removed_lines']): string | null {
  if (added === null || removed === null) return null;
  return [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)].join('\n');
}

function Difference({ version: { added_lines, removed_lines } }: { readonly version: Version }) {
  if (added_lines === null || removed_lines === null) return <>–</>;
  if (added_lines.length + removed_lines.length === 0) return <>only the order of lines</>;
  return (
    <details>
      <summary>
        {removed_lines.length} lines removed, {added_lines.length} added
      </summary>
      <pre>
        <code>{codeText(textOf(added_lines, removed_lines) ?? '')}</code>
      </pre>
    </details>
  );
}
