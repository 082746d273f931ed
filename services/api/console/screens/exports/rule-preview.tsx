import { useEffect, useState } from 'preact/hooks';
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
type Breakdown = Answer<'getSegmentsBreakdown'>;

const MOST_PATHS = 1_000;
const ROWS_AT_FIRST = 8;
/** The server counts when typing pauses for this long. */
const PAUSE_MS = 700;
const column = columnsOf<Path>();

interface PreviewProps {
  readonly rules: readonly Rule[];
  readonly excluded: readonly Rule[];
}

/** The segment's requests in the window, counted by the server, and its most requested paths. */
export function RulePreview({ rules, excluded }: PreviewProps) {
  const { address } = useAddress();
  const { website } = useWebsite();
  const draft = useLater(draftOf(rules, excluded), PAUSE_MS);
  const counted = useRead(
    'getSegmentsBreakdown',
    website,
    { ...scopeOf(address), segment: undefined, draft: draft ?? undefined },
    { when: website !== null && draft !== null },
  );
  return (
    <Card title="Preview" caption="all requests of the window" read={counted} class="preview">
      {(answer) => (
        <>
          <p role="status">
            <Totals answer={answer} />
          </p>
          <Matched rules={rules} excluded={excluded} />
        </>
      )}
    </Card>
  );
}

function Totals({ answer: { segments } }: { readonly answer: Breakdown }) {
  const [all, draft] = segments;
  if (all === undefined || draft === undefined) return null;
  return (
    <>
      <b>{short(draft.requests)}</b> of {short(all.requests)} requests match,{' '}
      {percent(Math.round((draft.requests / Math.max(all.requests, 1)) * 1_000) / 10)}: people{' '}
      {short(draft.human_requests)}, search {short(draft.search_hits)}, AI {short(draft.ai_hits)}; about{' '}
      {short(draft.unique_paths)} paths.
    </>
  );
}

/** Examples: matching paths among those most requested. */
function Matched({ rules, excluded }: PreviewProps) {
  const { address } = useAddress();
  const { website } = useWebsite();
  const paths = useRead(
    'getPaths',
    website,
    { ...scopeOf(address), segment: undefined, limit: MOST_PATHS },
    { when: website !== null },
  );
  const all = paths.answer?.paths ?? [];
  const has = (list: readonly Rule[], path: string) => list.some((rule) => ruleMatches(rule, path) === true);
  const matched = all.filter(({ path }) => has(rules, path) && !has(excluded, path));
  const unknown = [...rules, ...excluded].some((rule) => ruleMatches(rule, '/') === null);
  return (
    <>
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
      <p class="note">
        Paths among the {short(MOST_PATHS)} most requested.
        {unknown ? ' This list does not evaluate regexes and query strings; the numbers above do.' : ''}
      </p>
    </>
  );
}

/** Null: the rules are not complete. */
function draftOf(rules: readonly Rule[], excluded: readonly Rule[]): string | null {
  if ([...rules, ...excluded].some(({ value }) => value.trim() === '')) return null;
  return JSON.stringify({ rules, exclude_rules: excluded });
}

/** The value once it has not changed for a while. */
function useLater<Value>(value: Value, pauseMs: number): Value {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return later;
}
