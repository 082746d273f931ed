import { z } from '@hono/zod-openapi';
import { createTurns } from '../../pacing/turns.js';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import {
  count,
  percentOf,
  statusClassCounts,
  statusClasses,
  toStatusClassCounts,
  twoDigits,
} from '../answer/figures.js';
import { readMost } from '../answer/read-most.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { countedFields, readCountedCrawlers, toCountedFields } from '../bots/counted-crawlers.js';
import { type CrawlerInput, DAYS_TEXT, daysOf, perDay } from '../bots/crawler-scope.js';
import { PATH_START_BYTES, QUERY_START_CHARACTERS } from '../sql/dimensions.js';
import { crawlerPaths, crawlerQueries } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList } from '../sql/select.js';
import { flagRules, flagsOf, patternFlags, patternTypeOf, patternTypes } from './classify-pattern.js';
import { createPatternLearner } from './learn-patterns.js';
import { readParameterUrls } from './parameter-urls.js';

/** Maximum paths that patterns are learned from: those with the most requests. */
export const MAX_PATHS = 50_000;
const MAX_PATTERNS = 500;
/** Longest time of the work on paths between two yields to other calls, milliseconds. */
const TURN_MS = 5;
/** Paths between two looks at the clock. */
const PATHS_A_LOOK = 250;

const flag = z.enum(patternFlags as [keyof typeof flagRules]).openapi({
  description: `Problems of patterns with at least 10 requests. ${patternFlags
    .map((name) => `\`${name}\`: ${flagRules[name].text}`)
    .join('. ')}.`,
});

const urlPattern = z
  .object({
    pattern: z.string().openapi({
      description:
        'The common form of the paths: names are literal, and {lang}, {number}, {uuid}, {hash}, {id}, {date}, {year}, {month}, {day}, {page} and {slug} are placeholders. A final `?{params}`: requests with a query string, which are separate from those without.',
      example: '/blog/{slug}',
    }),
    total_requests: count('Requests of the crawlers that crawl_basis names.'),
    unique_urls: count(
      'Distinct URLs: paths, or paths with their query strings if the pattern ends in `?{params}`.',
    ),
    daily_avg: z.number().openapi({ description: `Requests per day. ${DAYS_TEXT}` }),
    pct_of_crawl: z.number().openapi({ description: 'Percentage of total_crawl_requests.' }),
    ...statusClassCounts,
    pattern_type: z.enum(patternTypes).openapi({
      description:
        'The first matching type. parameters: with query strings; pagination; file: neither a page nor without extension; date; id: numbers, UUIDs, hashes; slug: one of many names; language: only the language differs; static: one path.',
    }),
    flags: z.array(flag),
    example_url: z.string().openapi({
      description: `The path with the most requests, its first ${PATH_START_BYTES} bytes. If the pattern ends in \`?{params}\`, with the query string of its latest request, the first ${QUERY_START_CHARACTERS} characters.`,
    }),
  })
  .openapi('UrlPattern');

export interface UrlPatternsInput extends CrawlerInput {
  readonly min_urls: number;
}

export const urlPatterns = answer({
  schema: z.object({
    ...datedWindow,
    ...countedFields,
    total_crawl_requests: count(
      'Requests of the crawlers that crawl_basis names, including those without a pattern or without a path.',
    ),
    days_in_period: z.number().openapi({ description: `The divisor of daily_avg. ${DAYS_TEXT}` }),
    min_urls: z.int().openapi({ description: 'Minimum distinct paths of a listed pattern.' }),
    paths_examined: count(
      `Distinct paths that the patterns were learned from: those with the most requests, at most ${MAX_PATHS}. Paths with and without query strings count separately.`,
    ),
    complete: z.boolean().openapi({
      description: 'true: these are all paths; false: figures of patterns exclude rarely fetched paths.',
    }),
    total_patterns: count(`Patterns with at least min_urls paths; the list has the first ${MAX_PATTERNS}.`),
    patterns: z.array(urlPattern).openapi({
      description:
        'Most requests first, then by name. Patterns with query strings are listed with any number of paths, because each path may have many URLs.',
    }),
  }),
  from: [[crawlerPaths], [crawlerQueries]],
  async read(reader, scope, input: UrlPatternsInput) {
    const [dated, counted] = await Promise.all([
      dateWindow(reader, scope),
      readCountedCrawlers(reader, scope, input),
    ]);
    const [{ rows, isComplete: complete }, parameterUrls] = await Promise.all([
      readNamedPaths(reader, counted.scope),
      readMost((limit) => readParameterUrls(reader, counted.scope, limit), LIMITS),
    ]);
    const days = daysOf(scope.window, dated.since);
    const total = counted.basis === 'verified' ? counted.verified : counted.unproved;
    const patternOf = await learnPatterns(rows);
    const patterns = (await foldPatterns(rows, patternOf, parameterUrls.rows)).filter(
      ({ unique_urls, hasQuery }) => hasQuery || unique_urls >= input.min_urls,
    );
    return {
      ...dated.fields,
      ...toCountedFields(counted),
      total_crawl_requests: total,
      days_in_period: twoDigits(days),
      min_urls: input.min_urls,
      paths_examined: rows.length,
      complete,
      total_patterns: patterns.length,
      patterns: patterns.slice(0, MAX_PATTERNS).map((folded) => toPattern(folded, total, days)),
    };
  },
});

/** Figures of a path that add up to the figures of its pattern. */
const summed = ['requests', ...statusClasses, 'redirected_requests'] as const;

/** The limit if the paths exceed the size limit of a read: this many fit at any length. */
const FEW_PATHS = 20_000;

/** Limits of the lists of paths. */
const LIMITS = { most: MAX_PATHS, few: FEW_PATHS };

/** Most requests first, with separate rows for requests with and without query strings. */
function readPaths(reader: ClickHouseReader, scope: Scope, limit: number) {
  return selectList(reader, scope, {
    name: 'url_patterns.paths',
    from: [crawlerPaths],
    by: ['path_start', 'has_query'],
    limit,
    metrics: summed,
  });
}

/** Requests without a path count only in the total. */
async function readNamedPaths(reader: ClickHouseReader, scope: Scope) {
  const { rows, isComplete } = await readMost((limit) => readPaths(reader, scope, limit), LIMITS);
  return { rows: rows.filter(({ path_start }) => path_start !== ''), isComplete };
}

/** Each path of a pattern with its figures, most requests first. @param scope of crawlers. */
export async function readPathsOfPattern(reader: ClickHouseReader, scope: Scope, pattern: string) {
  const { rows } = await readNamedPaths(reader, scope);
  const patternOf = await learnPatterns(rows);
  return rows.filter((row) => fullPattern(patternOf, row) === pattern);
}

type PathRow = Awaited<ReturnType<typeof readPaths>>[number];

type Figures = Record<(typeof summed)[number], number>;

interface Folded extends Figures {
  readonly pattern: string;
  readonly hasQuery: boolean;
  readonly example: string;
  unique_urls: number;
}

type ParameterUrls = Awaited<ReturnType<typeof readParameterUrls>>;

/**
 * @param rows most requests first, so that the first of a pattern is its example.
 * @param parameterUrls of paths with query strings
 */
async function foldPatterns(
  rows: readonly PathRow[],
  patternOf: PatternOf,
  parameterUrls: Readonly<ParameterUrls>,
): Promise<Folded[]> {
  const ofPath = new Map(parameterUrls.map((row) => [row.path_start, row]));
  const patterns = new Map<string, Folded>();
  const giveTurn = createTurns({ milliseconds: TURN_MS });
  for (const [index, row] of rows.entries()) {
    if (index % PATHS_A_LOOK === 0) await giveTurn();
    const pattern = fullPattern(patternOf, row);
    const hasQuery = row.has_query === 1;
    const queries = hasQuery ? ofPath.get(row.path_start) : undefined;
    const urls = queries?.distinct_query ?? 1;
    const folded = patterns.get(pattern);
    if (folded === undefined) {
      const figures = Object.fromEntries(summed.map((name) => [name, row[name]])) as Figures;
      const example = hasQuery ? `${row.path_start}?${queries?.latest_query_start ?? ''}` : row.path_start;
      patterns.set(pattern, { ...figures, pattern, hasQuery, example, unique_urls: urls });
      continue;
    }
    for (const name of summed) folded[name] += row[name];
    folded.unique_urls += urls;
  }
  return [...patterns.values()].sort(
    (one, other) => other.requests - one.requests || (one.pattern < other.pattern ? -1 : 1),
  );
}

const PARAMETERS = '?{params}';

type PatternOf = (path: string) => string;

const fullPattern = (patternOf: PatternOf, row: PathRow) =>
  row.has_query === 1 ? patternOf(row.path_start) + PARAMETERS : patternOf(row.path_start);

/** Whether the pattern is of requests with query strings. */
export function hasParameters(pattern: string): boolean {
  return pattern.endsWith(PARAMETERS);
}

async function learnPatterns(rows: readonly PathRow[]): Promise<PatternOf> {
  const places = new Map<string, number>();
  const learner = createPatternLearner();
  const giveTurn = createTurns({ milliseconds: TURN_MS });
  for (const [index, { path_start }] of rows.entries()) {
    if (index % PATHS_A_LOOK === 0) await giveTurn();
    if (places.has(path_start)) continue;
    places.set(path_start, places.size);
    learner.add(path_start);
  }
  const learned = learner.patterns();
  return (path) => learned[places.get(path)!]!;
}

function toPattern(folded: Folded, total: number, days: number): z.input<typeof urlPattern> {
  const { requests, pattern, hasQuery, redirected_requests: redirected } = folded;
  const type = patternTypeOf(pattern, hasQuery);
  return {
    pattern,
    total_requests: requests,
    unique_urls: folded.unique_urls,
    daily_avg: perDay(requests, days),
    pct_of_crawl: percentOf(requests, total),
    ...toStatusClassCounts(folded),
    pattern_type: type,
    flags: flagsOf(type, { ...folded, redirected }, total),
    example_url: folded.example,
  };
}
