import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { ago, logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { type Column, DataTable, type Table } from '../../parts/data-table.js';
import { PathLink } from '../../parts/path-link.js';
import { useWebsite } from '../../parts/website.js';
import { NO_CRAWL } from './no-crawl.js';

type Audit = Answer<'getCrawlAudit'>;
type Finding = Audit['findings'][number];
type Row = Finding['rows'][number];

const tones: ReadonlyMap<string, string> = new Map([
  ['high', 'bad'],
  ['medium', 'warn'],
]);
const finding = columnsOf<Finding>();
const row = columnsOf<Row>();

const EXAMPLES: Column = {
  title: 'Examples',
  value: ({ examples }: Row) => (examples ?? []).join(' '),
  show: ({ examples }: Row) => <small>{(examples ?? []).slice(0, 3).map(logText).join(', ')}</small>,
};

/** Findings of the latest crawl, those that verified search crawlers meet most first. A click shows the pages. */
export function Findings() {
  const { address, go } = useAddress();
  const { website } = useWebsite();
  const audit = useRead('getCrawlAudit', website, scopeOf(address), { when: website !== null });
  const found = byHits(audit.answer);
  const chosen = found.find(({ key }) => key === address.rest.finding) ?? found[0];
  return (
    <>
      <Card
        title="Findings"
        caption="by requests of verified search crawlers in the window"
        read={audit}
        empty={{
          when: ({ available, findings }) => available === false || !findings?.some(({ count }) => count > 0),
          text: audit.answer?.available === false ? NO_CRAWL : 'Nothing was found.',
        }}
        table={() => ({
          caption: 'Findings of the crawl',
          rows: found,
          columns: [
            finding.text('Finding', 'key', ({ key, rule }) => (
              <>
                <button
                  type="button"
                  class="pick"
                  aria-pressed={chosen?.key === key}
                  onClick={() => go({ rest: { tab: 'findings', finding: key } })}
                >
                  <b>{key.replaceAll('_', ' ')}</b>
                </button>{' '}
                <small>{logText(rule)}</small>
              </>
            )),
            finding.text('Severity', 'severity', ({ severity }) => (
              <span class={tones.get(severity) ?? ''}>{severity}</span>
            )),
            finding.number('Pages', 'count'),
            finding.number('Crawler requests', 'bot_hits'),
          ],
        })}
      />
      {chosen === undefined ? null : (
        <Card
          title={`Pages: ${chosen.key.replaceAll('_', ' ')}`}
          caption={chosen.value_means === null ? '' : `value: ${chosen.value_means}`}
          read={audit}
          table={() => rowsOf(chosen)}
        >
          {() => (
            <>
              <DataTable key={chosen.key} table={rowsOf(chosen)} />
              {chosen.rows.length < chosen.count ? (
                <p class="caption">
                  The {short(chosen.rows.length)} pages with most requests of {short(chosen.count)}.
                </p>
              ) : null}
            </>
          )}
        </Card>
      )}
    </>
  );
}

function byHits(audit: Audit | null): Finding[] {
  return (audit?.findings ?? []).filter(({ count }) => count > 0).toSorted((a, b) => b.bot_hits - a.bot_hits);
}

function rowsOf({ key, rows, value_means, text_means }: Finding): Table {
  return {
    caption: `Pages with ${key.replaceAll('_', ' ')}`,
    rows,
    columns: [
      row.text('Page', 'url', ({ path, url }) => <PathLink path={path} url={url} />),
      row.number('Status', 'status'),
      ...(value_means === null ? [] : [row.number('Value', 'value')]),
      ...(text_means === null ? [] : [row.text(text_means, 'text')]),
      ...(rows.some(({ examples }) => examples?.length) ? [EXAMPLES] : []),
      row.number('Search crawlers', 'search_hits'),
      row.number('People', 'human_hits'),
      row.text('Last crawler', 'last_search_hit', ({ last_search_hit }) => ago(last_search_hit)),
    ],
  };
}
