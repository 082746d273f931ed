import { isProbedPath } from '../../../../../shared/detection/probes.js';
import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { failedShare, StatusMix } from '../../charts/status-mix.js';
import { ago, bytes, milliseconds, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { Choices } from '../../parts/choices.js';
import { DataTable, type Table } from '../../parts/data-table.js';
import { Delta } from '../../parts/delta.js';
import { isAsset } from '../../parts/is-asset.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';

type Path = Answer<'getPaths'>['paths'][number];

const MOST_PATHS = 500;

/** Paths by requests, with who asks for them. A click on a column sorts by it. */
export function PageList() {
  const { address, go } = useAddress();
  const { website } = useWebsite();
  const read = useRead(
    'getPaths',
    website,
    { ...scopeOf(address), limit: MOST_PATHS },
    { when: website !== null },
  );
  const { files, ...others } = address.rest;
  const isAll = files === 'all';
  return (
    <Card
      title="Pages"
      caption="a click on a column sorts"
      read={read}
      empty={{ when: ({ paths }) => paths.length === 0, text: 'No request in this window.' }}
      table={(answer) => tableOf(answer, isAll)}
    >
      {(answer) => (
        <>
          <Choices
            label="Files"
            choices={[
              { name: 'pages', title: 'pages' },
              { name: 'all', title: 'pages and assets' },
            ]}
            chosen={isAll ? 'all' : 'pages'}
            onChoose={(name) => go({ rest: name === 'all' ? { ...others, files: 'all' } : others })}
          />
          <DataTable table={tableOf(answer, isAll)} />
          <p class="note">
            People: requests with a browser’s user agent that claim no bot. A scanner that poses as a browser
            counts too; a path that it tries without success is marked “probe”. From the{' '}
            {short(answer.paths.length)} most requested of {short(answer.unique_paths)} paths. The search
            field finds the others.
          </p>
        </>
      )}
    </Card>
  );
}

function tableOf({ paths }: Answer<'getPaths'>, isAll: boolean): Table {
  return {
    caption: 'Pages by requests',
    rows: isAll ? paths : paths.filter(({ path }) => !isAsset(path)),
    columns: [
      {
        title: 'Path',
        value: ({ path }: Path) => path,
        show: (row: Path) => (
          <>
            <PathLink path={row.path} />
            {isOnlyProbed(row) ? <span class="badge">probe</span> : null}
          </>
        ),
      },
      { title: 'Requests', value: ({ requests }: Path) => requests, isNumber: true },
      {
        title: 'Change, %',
        value: ({ delta_pct }: Path) => delta_pct ?? null,
        show: ({ delta_pct }: Path) => <Delta value={delta_pct} />,
        isNumber: true,
      },
      { title: 'People', value: ({ human_requests }: Path) => human_requests, isNumber: true },
      { title: 'Search', value: ({ search_bot_requests }: Path) => search_bot_requests, isNumber: true },
      { title: 'AI', value: ({ ai_bot_requests }: Path) => ai_bot_requests, isNumber: true },
      { title: 'Other bots', value: ({ other_bot_requests }: Path) => other_bot_requests, isNumber: true },
      {
        title: 'Status',
        value: ({ status_2xx, status_3xx, status_4xx, status_5xx }: Path) =>
          `${status_2xx} 2xx, ${status_3xx} 3xx, ${status_4xx} 4xx, ${status_5xx} 5xx`,
        show: (path: Path) => <StatusMix counts={path} />,
      },
      {
        title: 'Failed, %',
        value: (path: Path) => failedShare(path),
        show: (path: Path) => (
          <span class={path.status_5xx > 0 ? 'bad' : ''}>{percent(failedShare(path))}</span>
        ),
        isNumber: true,
      },
      {
        title: 'Mean time, ms',
        value: ({ avg_time_ms }: Path) => avg_time_ms,
        show: ({ avg_time_ms }: Path) => milliseconds(avg_time_ms),
        isNumber: true,
      },
      {
        title: 'Bytes',
        value: ({ bytes_sent }: Path) => bytes_sent,
        show: ({ bytes_sent }: Path) => bytes(bytes_sent),
        isNumber: true,
      },
      {
        title: 'Last seen',
        value: ({ last_seen }: Path) => last_seen,
        show: ({ last_seen }: Path) => <time dateTime={last_seen}>{ago(last_seen)}</time>,
      },
    ],
  };
}

/** A path that only vulnerability scanners ask for, and that this website does not have. */
function isOnlyProbed({ path, requests, status_4xx, status_5xx }: Path): boolean {
  return status_4xx + status_5xx === requests && isProbedPath(path, true);
}
