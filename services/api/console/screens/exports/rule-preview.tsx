import { scopeOf, useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable } from '../../parts/data-table.js';
import { useWebsite } from '../../parts/website.js';
import { type Rule, ruleMatches } from './rule-matches.js';

type Path = Answer<'getPaths'>['paths'][number];

const MOST_PATHS = 1_000;
const ROWS_AT_FIRST = 8;
const column = columnsOf<Path>();

/** The paths of the window that rules match, among those most requested. */
export function RulePreview({ rules }: { readonly rules: readonly Rule[] }) {
  const { address } = useAddress();
  const { website } = useWebsite();
  const paths = useRead(
    'getPaths',
    website,
    { ...scopeOf(address), segment: undefined, limit: MOST_PATHS },
    { when: website !== null },
  );
  const unknown = rules.filter((rule) => ruleMatches(rule, '/') === null).length;
  return (
    <Card
      title="Preview"
      caption={`the ${short(MOST_PATHS)} most requested paths of the window`}
      read={paths}
      class="preview"
    >
      {({ paths: all }) => {
        const matched = all.filter(({ path }) => rules.some((rule) => ruleMatches(rule, path) === true));
        const share = (sumOf(matched) / Math.max(sumOf(all), 1)) * 100;
        return (
          <>
            <p role="status">
              <b>{short(matched.length)}</b> of {short(all.length)} paths match: {short(sumOf(matched))}{' '}
              requests, {percent(share)} of theirs.
              {unknown === 0 ? null : ' Rules of regexes and query strings are not in this preview.'}
            </p>
            {matched.length === 0 ? null : (
              <DataTable
                table={{
                  caption: 'Paths that the rules match',
                  first: ROWS_AT_FIRST,
                  rows: matched,
                  columns: [column.text('Path', 'path'), column.number('Requests', 'requests')],
                }}
              />
            )}
          </>
        );
      }}
    </Card>
  );
}

function sumOf(paths: readonly Path[]): number {
  return paths.reduce((sum, { requests }) => sum + requests, 0);
}
