import type { ReadState } from '../../api/use-read.js';
import { logText, moment, NOT_KNOWN, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import type { CrawlRun, Crawls } from './use-crawls.js';

const tones: ReadonlyMap<string, string> = new Map([
  ['ready', 'good'],
  ['failed', 'bad'],
  ['blocked', 'bad'],
]);
const column = columnsOf<CrawlRun>();

/** The 20 newest crawls. */
export function CrawlList({ crawls }: { readonly crawls: ReadState<Crawls> }) {
  return (
    <Card
      title="Runs"
      caption="the 20 newest"
      read={crawls}
      empty={{ when: (answer) => answer.crawls.length === 0, text: 'The website was not crawled yet.' }}
      table={(answer) => ({
        caption: 'Crawls',
        rows: answer.crawls,
        columns: [
          column.text('Asked for', 'created_at', ({ created_at }) => moment(created_at)),
          column.text('Status', 'status', ({ status, error }) => (
            <>
              <b class={tones.get(status) ?? ''}>{status.replaceAll('_', ' ')}</b>{' '}
              {error === null ? null : <small>{logText(error)}</small>}
            </>
          )),
          column.text('By', 'trigger', ({ trigger, source, filename }) =>
            source === 'upload' ? `upload ${logText(filename ?? '')}` : trigger,
          ),
          column.number('Pages', 'url_count'),
          column.number('Indexable', 'indexable_count'),
          column.number('Not linked', 'unlinked_count'),
          {
            title: 'New · gone',
            value: ({ delta }: CrawlRun) => (delta === null ? null : `${delta.new} · ${delta.gone}`),
            isNumber: true,
          },
          {
            title: 'Status changed',
            value: ({ delta }: CrawlRun) => delta?.status_changed ?? null,
            isNumber: true,
          },
          {
            title: 'Severe findings',
            value: ({ audit_summary }: CrawlRun) => audit_summary?.high ?? null,
            show: ({ audit_summary }: CrawlRun) =>
              audit_summary === null ? NOT_KNOWN : short(audit_summary.high),
            isNumber: true,
          },
        ],
      })}
    />
  );
}
