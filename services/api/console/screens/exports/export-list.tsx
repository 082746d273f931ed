import { useState } from 'preact/hooks';
import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { bytes, day, logText, moment } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable, type Table } from '../../parts/data-table.js';
import { Pager, pageOf } from '../../parts/pager.js';
import { useWebsite } from '../../parts/website.js';

type Exports = Answer<'listExports'>;
type Export = Exports['exports'][number];

const OPEN: ReadonlySet<string> = new Set(['pending', 'processing']);
const OPEN_REPEAT_MS = 3_000;
const PAGE_SIZE = 25;
const column = columnsOf<Export>();

/** Exports and reports with their progress, and the links to their files. */
export function ExportList() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const [hasOpen, setHasOpen] = useState(false);
  const page = pageOf(address.rest.page);
  const exports = useRead(
    'listExports',
    website,
    { page, page_size: PAGE_SIZE },
    { when: website !== null, every: hasOpen ? OPEN_REPEAT_MS : null },
  );
  const isOpen = exports.answer?.exports.some(({ status }) => OPEN.has(status)) === true;
  if (isOpen !== hasOpen) setHasOpen(isOpen);
  const table = tableOf(website ?? '');
  return (
    <Card
      title="Your exports and reports"
      caption="files stay for seven days"
      read={exports}
      empty={{ when: ({ total }) => total === 0, text: 'You have not asked for a file yet.' }}
      table={table}
    >
      {(answer) => (
        <>
          <DataTable table={table(answer)} />
          <Pager page={page} pages={Math.ceil(answer.total / PAGE_SIZE)} total={answer.total} />
        </>
      )}
    </Card>
  );
}

const tableOf =
  (website: string) =>
  ({ exports }: Exports): Table => ({
    caption: 'Exports and reports',
    rows: exports,
    columns: [
      column.text('File', 'description', ({ description, ignored_filters }) => (
        <>
          {logText(description)}{' '}
          {ignored_filters.length === 0 ? null : (
            <small>without {ignored_filters.map(logText).join(', ')}</small>
          )}
        </>
      )),
      column.text('Asked for', 'created_at', ({ created_at }) => moment(created_at)),
      column.text('Status', 'status', (row) => <Status row={row} />),
      column.number('Rows', 'row_count'),
      column.number('Size', 'file_size_bytes', ({ file_size_bytes }) => bytes(file_size_bytes)),
      column.text('Until', 'expires_at', ({ expires_at }) => day(expires_at)),
      column.text('Download', 'job_id', (row) => <Download row={row} website={website} />),
    ],
  });

function Status({ row: { status, error } }: { readonly row: Export }) {
  if (OPEN.has(status))
    return (
      <>
        {/* Without a value: how much is left is not known. */}
        <progress class="crawl-progress" aria-label={status === 'pending' ? 'Waits' : 'Is being made'} />{' '}
        {status === 'pending' ? 'waits' : 'is being made'}
      </>
    );
  return (
    <>
      <b class={status === 'completed' ? 'good' : 'bad'}>{status}</b>{' '}
      {error === null ? null : <small>{logText(error)}</small>}
    </>
  );
}

/** Each click signs a new address, so the link works until the file is deleted. */
function Download({ row, website }: { readonly row: Export; readonly website: string }) {
  if (row.status !== 'completed') return null;
  const path = `public/v1/websites/${encodeURIComponent(website)}/exports/${encodeURIComponent(row.job_id)}/download`;
  const to = (file: string) => new URL(`${path}?file=${file}`, document.baseURI).href;
  const isReport = row.export_type === 'seo-report';
  return (
    <span class="links">
      <a href={to('data')} download>
        {isReport ? 'PDF' : 'file'}
      </a>{' '}
      {isReport ? (
        <a href={to('html')} target="_blank" rel="noreferrer">
          page
        </a>
      ) : null}{' '}
      <a href={to('manifest')} target="_blank" rel="noreferrer">
        manifest
      </a>
    </span>
  );
}
