import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { logText, percent, short } from '../../format.js';
import { ConfirmButton, useAction } from '../../parts/action.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable, type Table } from '../../parts/data-table.js';
import { Delta, isCompared } from '../../parts/delta.js';
import { Notice } from '../../parts/notice.js';
import { useWebsite } from '../../parts/website.js';

type Segment = Answer<'listSegments'>['segments'][number];
type Figures = Answer<'getSegmentsBreakdown'>['segments'][number];

/** Id of the row with the figures of all requests. */
const EVERYTHING = '_all';
/** Reads that a change of segments changes. */
export const SEGMENT_READS = ['listSegments', 'getSegmentsBreakdown'] as const;
const column = columnsOf<Figures>();

/** Segments side by side, with their rules. A click filters the console by one. */
export function SegmentList() {
  const { address, go, link } = useAddress();
  const { website } = useWebsite();
  const action = useAction(SEGMENT_READS);
  const segments = useRead('listSegments', website, {}, { when: website !== null });
  const breakdown = useRead(
    'getSegmentsBreakdown',
    website,
    { ...scopeOf(address), segment: undefined, compare: isCompared(address) ? 1 : undefined },
    { when: website !== null },
  );
  const rules = new Map((segments.answer?.segments ?? []).map((segment) => [segment.segment_id, segment]));
  const remove = ({ segment_id, name }: Figures) =>
    void action
      .send(
        'DELETE',
        `/websites/${website}/segments/${encodeURIComponent(segment_id)}`,
        null,
        `“${logText(name)}” is deleted.`,
      )
      .then((deleted) => {
        if (deleted !== null && address.segment === segment_id) go({ segment: null });
      });
  const table = (answer: Answer<'getSegmentsBreakdown'>): Table => ({
    caption: 'Segments',
    rows: answer.segments,
    columns: [
      column.text('Segment', 'name', ({ segment_id, name }) => (
        <>
          <button
            type="button"
            class="pick"
            aria-pressed={address.segment === segment_id}
            onClick={() =>
              go({ segment: segment_id === EVERYTHING || address.segment === segment_id ? null : segment_id })
            }
          >
            <b>{logText(name)}</b>
          </button>{' '}
          <small>{rulesText(rules.get(segment_id))}</small>
        </>
      )),
      column.number('Requests', 'requests', ({ requests }) => short(requests)),
      {
        title: 'Change',
        value: ({ delta }: Figures) => delta?.requests_pct ?? null,
        show: ({ delta }: Figures) => <Delta value={delta?.requests_pct} />,
        isNumber: true,
      },
      column.number('People', 'human_requests', ({ human_requests }) => short(human_requests)),
      column.number('Search', 'search_hits', ({ search_hits }) => short(search_hits)),
      column.number('AI', 'ai_hits', ({ ai_hits }) => short(ai_hits)),
      column.number('Pages', 'unique_pages', ({ unique_pages }) => short(unique_pages)),
      column.number('Crawled', 'crawl_coverage', ({ crawl_coverage }) => percent(crawl_coverage)),
      column.number('5xx', 'errors_5xx', ({ errors_5xx }) => (
        <span class={errors_5xx > 0 ? 'bad' : ''}>{short(errors_5xx)}</span>
      )),
      {
        title: 'Actions',
        value: () => null,
        show: (row: Figures) =>
          row.segment_id === EVERYTHING ? null : (
            <>
              <a
                href={link({ rest: { tab: 'segments', edit: row.segment_id } })}
                aria-label={`Change the segment ${row.name}`}
              >
                change
              </a>{' '}
              <ConfirmButton
                text="delete"
                label={`Delete the segment ${row.name}`}
                onConfirm={() => remove(row)}
                isBusy={action.isBusy}
              />
            </>
          ),
      },
    ],
  });
  return (
    <Card
      title="Segments"
      caption="click one to filter every screen by it · pages: distinct pages that were served; crawled: those served to search crawlers (estimates)"
      read={breakdown}
      table={table}
    >
      {(answer) => (
        <>
          <Notice notice={action.notice} />
          <DataTable table={table(answer)} />
        </>
      )}
    </Card>
  );
}

function rulesText(segment: Segment | undefined): string {
  if (segment === undefined) return '';
  const text = (list: Segment['rules']) =>
    list.map(({ type, value }) => `${type} ${logText(value)}`).join(' or ');
  const excluded = text(segment.exclude_rules);
  return `${text(segment.rules)}${excluded === '' ? '' : `, not ${excluded}`}`;
}
