import fc from 'fast-check';
import type { ScopeInput } from '../../services/api/operation/resolve-scope.js';
import { pathOf, queryOf } from '../../services/api/operation/routes.js';
import { operations } from '../../services/api/operations/all-operations.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import type { Truth } from './counting.js';
import { crawlerReads, segmentReads, type TrueRead, unsegmentedReads } from './true-reads.js';

/** Random calls of every windowed read, for changing-rows.int.test.ts. */

export interface Question {
  /** Below the website. */
  readonly path: string;
  readonly given: Readonly<Record<string, string>>;
  /** null: there is no scan of the rows for this read. */
  readonly scan: Scan | null;
}

export interface Scan {
  readonly input: ScopeInput;
  readonly expected: (truth: Truth) => object;
}

/** Parameters without which a read refuses. */
const required: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/url': { path: '/shop' },
  '/urls/search': { q: 'shop' },
  '/seo/sitemap/url-history': { url_path: '/shop' },
  '/recommendations/snippet': { type: 'block_spoofed_bots' },
};
const ADDRESS = '198.51.100.0';

/** Reads of requests that have another window, or a fixed one. */
const fixed = ['/live', '/urls/search', '/health', '/page-importance'];

/** Every GET of a website with a window. */
export const windowedReads = operations
  .filter(({ kind, method }) => kind === 'website' && method.toUpperCase() === 'GET')
  .filter((operation) => 'hours' in queryOf(operation).shape || fixed.includes(operation.path))
  .map((operation) => ({
    path: operation.path.replace('{ip_address}', ADDRESS),
    accepts: new Set(Object.keys(queryOf(operation).shape)),
    parameters: required[operation.path] ?? {},
  }));

const trueReads: readonly TrueRead[] = [...segmentReads, ...unsegmentedReads, ...crawlerReads];

/** Edges on days, hours, minutes and between them; a third of the windows are rolling. */
function windowsAt(now: number): fc.Arbitrary<Record<string, string>> {
  const rolling = fc.constantFrom('1', '2', '6', '24', '25', '48', '168', '720', '1900');
  const fixedWindow = fc
    .record({
      unit: fc.constantFrom(DAY_MS, HOUR_MS, HOUR_MS, MINUTE_MS, 1),
      length: fc.oneof(
        fc.integer({ min: 1, max: 200 * MINUTE_MS }),
        fc.integer({ min: HOUR_MS, max: 60 * DAY_MS }),
      ),
      ago: fc.oneof(fc.integer({ min: 0, max: 2 * DAY_MS }), fc.integer({ min: 0, max: 60 * DAY_MS })),
    })
    .map(({ unit, length, ago }) => {
      const down = (at: number) => Math.floor(at / unit) * unit;
      const end = down(now - ago);
      const start = Math.min(down(end - length), end - unit);
      return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
    });
  return fc.oneof(
    { weight: 1, arbitrary: rolling.map((hours) => ({ hours })) },
    { weight: 2, arbitrary: fixedWindow },
  );
}

const filters: readonly Record<string, string>[] = [
  { countries: 'de,fr' },
  { host: 'www.example.com,m.example.com', countries: 'DE,FR', status_category: '2xx' },
  { bot_name: 'googlebot' },
  { bot_family: 'openai' },
  { bot: 'openai' },
  { bot_verified: 'true' },
  { bot_verified: 'false' },
  { without_unproved: 'true' },
  { status: '404' },
  { file_type: 'html,pdf' },
  { params_filter: 'with_params' },
  { status_category: '3xx' },
];

/** A read of one status class refuses a filter by another one, and a read of one crawler the name of another. */
function isRefused(
  filter: Record<string, string>,
  { filter_type = '', bot }: Record<string, string>,
): boolean {
  if (/^[1-5]xx$/.test(filter_type) && ('status' in filter || 'status_category' in filter)) return true;
  return bot !== undefined && ('bot_name' in filter || 'bot_family' in filter || 'bot' in filter);
}

/** A read of scanned rows. @param narrowed window and filters that it accepts */
function scannedQuestion(
  { operation, parameters, expected }: TrueRead,
  narrowed: Record<string, string>,
): Question {
  const given = { ...narrowed, ...parameters };
  const input = operation.query.parse(given) as Record<string, unknown>;
  // Parameters that the read interprets itself are excluded; `expected` handles them.
  const common = Object.entries(input).filter(([name]) => !(name in parameters));
  const scan = { input: Object.fromEntries(common) as unknown as ScopeInput, expected };
  // The scans do not leave out unproved crawlers.
  return { path: operation.path, given, scan: 'without_unproved' in narrowed ? null : scan };
}

/** Reads from hours in memory, over nearly all rows: each change concerns them. */
export function frequentQuestionsAt(now: number): fc.Arbitrary<Question[]> {
  const start = new Date(Math.floor(now / HOUR_MS) * HOUR_MS - 85 * DAY_MS + 30 * MINUTE_MS).toISOString();
  const end = new Date(Math.floor(now / MINUTE_MS) * MINUTE_MS).toISOString();
  const names = [
    'summary',
    'traffic',
    'bots',
    'bots/access',
    'status-codes',
    'referrers',
    'devices',
    'geography',
  ];
  const read = fc.constantFrom(...trueReads.filter(({ name }) => names.includes(name)));
  return fc
    .tuple(read, read)
    .map(([one, other]) => [scannedQuestion(one, { start, end }), scannedQuestion(other, { hours: '2000' })]);
}

/** @param now the time of the first question */
export function questionsAt(now: number): fc.Arbitrary<Question> {
  const common = fc.record({
    window: windowsAt(now),
    filter: fc.option(fc.constantFrom(...filters), { nil: {}, freq: 1 }),
  });
  const scanned = fc
    .record({ read: fc.constantFrom(...trueReads), common })
    .map(({ read, common: { window, filter } }) =>
      scannedQuestion(read, isRefused(filter, read.parameters) ? window : { ...window, ...filter }),
    );
  const compared = fc
    .record({ read: fc.constantFrom(...windowedReads), common })
    .map(({ read: { path, accepts, parameters }, common: { window, filter } }): Question => {
      const wanted = Object.entries({ ...window, ...filter }).filter(([name]) => accepts.has(name));
      return { path, given: { ...Object.fromEntries(wanted), ...parameters }, scan: null };
    });
  return fc.oneof(scanned, compared);
}

export const pathOfQuestion = (websiteId: string, { path, given }: Question) =>
  `${pathOf({ kind: 'website', path } as never).replace('{website_id}', websiteId)}?${new URLSearchParams(given)}`;
