import { z } from 'zod';
import { groupBy } from '../../group-by.js';
import type { ClickHouseReader } from '../../store/client.js';
import { unlessTooLong } from '../../store/store-errors.js';
import { type DimensionFilter, filtersByVerdict } from '../sql/filters.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { aiVisits } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { tableSourceOf } from '../sql/table-source.js';
import { compareBytes } from '../sql/text-order.js';

/**
 * Landings by page and time, from one statement. It has rows of all operators together, and rows of each operator: a visit that two
 * operators sent counts for both, and once in the rows of all.
 */

interface OperatorLandings {
  readonly ai_operator: string;
  readonly visits: number;
  readonly previous_visits: number;
  readonly distinct_path: number;
}

interface Landings {
  readonly total: Omit<OperatorLandings, 'ai_operator'>;
  /** Most landings first. */
  readonly operators: readonly OperatorLandings[];
}

interface PageLandings {
  readonly path: string;
  readonly visits: number;
  /** Milliseconds since the epoch. */
  readonly first_seen: number;
  readonly last_seen: number;
  readonly latest_status: string;
}

export interface AllLandings {
  readonly visits: Landings;
  readonly errors: Landings;
  /** The path with the most visits of each operator's assistants. */
  readonly topPaths: ReadonlyMap<string, string>;
  readonly series: readonly {
    readonly time: number;
    readonly ai_operator: string;
    readonly visits: number;
  }[];
  /** Most visits first. */
  readonly pages: readonly PageLandings[];
  readonly errorPages: readonly PageLandings[];
  /** Visits of the pages by operator, most visits first. */
  readonly operatorsOf: ReadonlyMap<string, readonly (readonly [operator: string, visits: number])[]>;
}

export interface LandingsQuestion {
  readonly granularity: 'hour' | 'day';
  /** Maximum pages of each list. */
  readonly limit: number;
  readonly where: readonly DimensionFilter[];
}

/** Folding them takes this process tens of milliseconds. */
const MOST_ROWS = 20_000;

const landingRow = z.object({
  is_current: z.number(),
  /** 1: of all operators. */
  of_all: z.number(),
  operator: z.string(),
  path: z.string(),
  is_error: z.number(),
  /** Start of the bucket in milliseconds; the previous window is one bucket. */
  time: z.number(),
  visits: z.number(),
  first_seen: z.number(),
  last_seen: z.number(),
  status: z.number(),
});
type LandingRow = z.infer<typeof landingRow>;

/** null: there are too many. */
export async function readLandingRows(
  reader: ClickHouseReader,
  scope: Scope,
  { granularity, where }: LandingsQuestion,
): Promise<readonly LandingRow[] | null> {
  const known = filtersByVerdict(scope.filters) ? await withLateVerdicts(reader, scope) : scope;
  const source = tableSourceOf([aiVisits], known, {
    dimensions: ['ai_operator', 'path', 'status', 'is_error'],
    metrics: ['visits', 'first_seen', 'last_seen'],
    time: granularity,
    compare: true,
    where,
  });
  return unlessTooLong(
    reader.read({
      name: 'ai_landing.landings',
      sql: `SELECT s.is_current AS is_current, grouping(s.ai_operator) AS of_all, s.ai_operator AS operator, s.path AS path, s.is_error AS is_error,
  toUnixTimestamp(s.time) * 1000 AS time, uniqExactMerge(s.visits) AS visits,
  toUnixTimestamp64Milli(min(s.first_seen)) AS first_seen, toUnixTimestamp64Milli(max(s.last_seen)) AS last_seen,
  argMax(s.status, tuple(s.last_seen, s.status)) AS status
FROM (${source.sql}) AS s
GROUP BY GROUPING SETS ((s.is_current, s.time, s.path, s.is_error, s.ai_operator), (s.is_current, s.time, s.path, s.is_error))`,
      params: source.params,
      row: landingRow,
      mostRows: MOST_ROWS,
    }),
  );
}

/** A visit has one page and one half hour, so that the visits of rows add up. */
export function foldLandings(rows: readonly LandingRow[], limit: number): AllLandings {
  const ofAll = rows.filter((row) => row.of_all === 1);
  const byOperator = rows.filter((row) => row.of_all === 0);
  const landings = (isError: number) => {
    const operators = groupBy(
      byOperator.filter((row) => row.is_error === isError),
      (row) => row.operator,
    );
    return {
      total: figuresOf(ofAll.filter((row) => row.is_error === isError)),
      operators: [...operators]
        .map(([operator, own]) => ({ ai_operator: operator, ...figuresOf(own) }))
        .sort((a, b) => b.visits - a.visits || compareBytes(a.ai_operator, b.ai_operator)),
    };
  };
  const visits = byOperator.filter((row) => row.is_error === 0 && row.is_current === 1);
  const pages = pagesOf(ofAll, 0).slice(0, limit);
  const pathsOf = [...groupBy(visits, (row) => row.operator)].map(
    ([operator, own]) => [operator, sumsBy(own, 'path')] as const,
  );
  const ofPage = groupBy(visits, (row) => row.path);
  return {
    visits: landings(0),
    errors: landings(1),
    topPaths: new Map(
      pathsOf.flatMap(([operator, [top]]) => (top === undefined ? [] : [[operator, top[0]]])),
    ),
    series: visits.map((row) => ({ time: row.time, ai_operator: row.operator, visits: row.visits })),
    pages,
    errorPages: pagesOf(ofAll, 1).slice(0, limit),
    operatorsOf: new Map(pages.map(({ path }) => [path, sumsBy(ofPage.get(path)!, 'operator')])),
  };
}

function figuresOf(rows: readonly LandingRow[]) {
  const paths = new Set<string>();
  let [visits, previous] = [0, 0];
  for (const row of rows) {
    if (row.is_current === 0) previous += row.visits;
    else {
      visits += row.visits;
      if (row.path !== '') paths.add(row.path);
    }
  }
  return { visits, previous_visits: previous, distinct_path: paths.size };
}

/** Visits by path or operator, most first. */
function sumsBy(rows: readonly LandingRow[], key: 'path' | 'operator'): [name: string, visits: number][] {
  const sums = new Map<string, number>();
  for (const row of rows) if (row.path !== '') sums.set(row[key], (sums.get(row[key]) ?? 0) + row.visits);
  return [...sums].sort((a, b) => b[1] - a[1] || compareBytes(a[0], b[0]));
}

/** Pages of the current window, most visits first. */
function pagesOf(ofAll: readonly LandingRow[], isError: number): PageLandings[] {
  const current = ofAll.filter((row) => row.is_error === isError && row.is_current === 1 && row.path !== '');
  return [...groupBy(current, (row) => row.path)]
    .map(([path, rows]) => {
      const latest = rows.reduce((one, other) => (isLater(other, one) ? other : one));
      return {
        path,
        visits: rows.reduce((sum, row) => sum + row.visits, 0),
        first_seen: Math.min(...rows.map((row) => row.first_seen)),
        last_seen: latest.last_seen,
        latest_status: String(latest.status),
      };
    })
    .sort((a, b) => b.visits - a.visits || compareBytes(a.path, b.path));
}

/** Statuses of landings have three digits, so that numbers have the order of their texts. */
function isLater(one: LandingRow, other: LandingRow): boolean {
  return one.last_seen > other.last_seen || (one.last_seen === other.last_seen && one.status > other.status);
}
