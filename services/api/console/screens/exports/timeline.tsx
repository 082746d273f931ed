import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { logText } from '../../format.js';
import { ConfirmButton, useAction } from '../../parts/action.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable, type Table } from '../../parts/data-table.js';
import { Notice } from '../../parts/notice.js';
import { useWebsite } from '../../parts/website.js';

type Events = Answer<'listSiteEvents'>;
type SiteEvent = Events['events'][number];

/** Entries that a write left; they cannot be deleted. */
const AUTOMATIC = 'api';
const column = columnsOf<SiteEvent>();

/** Events of the website, newest first. */
export function Timeline() {
  const { address, link } = useAddress();
  const { website } = useWebsite();
  const action = useAction(['listSiteEvents']);
  const events = useRead('listSiteEvents', website, {}, { when: website !== null });
  const showsAll = address.rest.entries === 'all';
  const shown = ({ events: all }: Events) =>
    showsAll ? all : all.filter(({ category }) => category !== AUTOMATIC);
  const remove = ({ event_id, title }: SiteEvent) =>
    void action.send(
      'DELETE',
      `/websites/${website}/site-events/${encodeURIComponent(event_id)}`,
      null,
      `“${logText(title)}” is deleted.`,
    );
  const table = (answer: Events): Table => ({
    caption: 'Timeline',
    rows: shown(answer),
    columns: [
      column.text('When (UTC)', 'date', ({ date, time }) => `${date} ${time ?? ''}`),
      column.text('What', 'title', ({ title, description }) => (
        <>
          <b>{logText(title)}</b> <small>{logText(description ?? '')}</small>
        </>
      )),
      column.text('Category', 'category'),
      column.text('By', 'created_by'),
      {
        title: 'Actions',
        value: () => null,
        show: (row: SiteEvent) =>
          row.category === AUTOMATIC ? null : (
            <ConfirmButton
              text="delete"
              label={`Delete the entry ${row.title}`}
              onConfirm={() => remove(row)}
              isBusy={action.isBusy}
            />
          ),
      },
    ],
  });
  const others = (answer: Events) => answer.events.length - shown(answer).length;
  return (
    <Card title="Timeline" caption="entries are marks in the charts" read={events} table={table}>
      {(answer) => (
        <>
          <Notice notice={action.notice} />
          {shown(answer).length === 0 ? (
            <p class="empty">No entry yet. A release or a migration explains later figures.</p>
          ) : (
            <DataTable table={table(answer)} />
          )}
          <p class="caption">
            {showsAll ? (
              <a href={link({ rest: { tab: 'timeline' } })}>Hide entries of writes</a>
            ) : others(answer) > 0 ? (
              <a href={link({ rest: { tab: 'timeline', entries: 'all' } })}>
                Show {others(answer)} entries of writes too
              </a>
            ) : null}
          </p>
        </>
      )}
    </Card>
  );
}
