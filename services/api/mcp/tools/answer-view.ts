import { isSent } from '../../operation/operation.js';
import { queryOf } from '../../operation/routes.js';
import type { Answer, Cell } from '../answer.js';
import type { Parameters } from '../call-operation.js';
import { type Pages, pagesOf } from '../page.js';
import { consoleUrl, windowOf } from '../period.js';
import { ToolRefusal } from '../tool-refusal.js';
import { DEFAULT_ROWS, type SharedArguments } from './arguments.js';
import { findSegment, findWebsite } from './find-website.js';
import { cellOf, fieldOf, listAt, scalarsOf } from './read-fields.js';
import { operationOf, type ToolContext } from './tool.js';

/** A view shows one list of one operation's answer as rows. */
export interface View {
  readonly operation: string;
  /** Path of the list in the answer. */
  readonly list: string;
  /** Fields of an entry, with dots for inner ones. */
  readonly columns: readonly string[];
  readonly parameters?: Parameters;
  /** The greatest `limit` of the operation, where it is not 500. */
  readonly mostRows?: number;
  /** The call has no window, although the operation takes one, and no pages. */
  readonly snapshot?: boolean;
  /** A series over time is shown whole. */
  readonly series?: boolean;
  /** Entries that are shown; all by default. */
  readonly keep?: (entry: unknown) => boolean;
  /** Parts of the answer besides its scalars that belong into the coverage. */
  readonly coverage?: readonly string[];
  readonly notes?: readonly string[];
  readonly console: { readonly screen: string; readonly rest?: Readonly<Record<string, string | undefined>> };
}

const windowAndPages = ['hours', 'start', 'end', 'page', 'page_size'];
const SERIES_ROWS = 200;
const MOST_ROWS_OF_LIMIT = 500;

export interface Prepared {
  readonly website: string;
  readonly segment: string | undefined;
  readonly notes: string[];
  /** The shared arguments as parameters of this operation. */
  readonly parameters: Parameters;
}

/** Resolves the website and the segment, and turns the shared arguments into parameters of the operation. */
export async function prepare(
  operationId: string,
  args: SharedArguments,
  context: ToolContext,
  without: readonly string[] = [],
): Promise<Prepared> {
  const shape = Object.fromEntries(
    Object.entries(queryOf(operationOf(context, operationId)).shape).filter(
      ([name]) => !without.includes(name),
    ),
  );
  const website = await findWebsite(args.website, context);
  const segment = await findSegment(args.segment, website, context);
  const window = windowOf(args.period, context.now());
  if ('start' in window && 'hours' in shape && !('start' in shape))
    throw new ToolRefusal('period: this view takes 24h, 7d, 30d or 90d only.');
  const wanted = {
    ...window,
    segment,
    countries: args.countries,
    bot_verified: args.verified_only === true ? 'true' : undefined,
  };
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const ineffective = given.filter(([name]) => !(name in shape)).map(([name]) => argumentOf(name));
  const unused = [...new Set(ineffective)].filter((name) => name !== 'period' || args.period !== '7d');
  return {
    website,
    segment,
    notes: unused.length === 0 ? [] : [`No effect on this view: ${unused.join(', ')}.`],
    parameters: { website_id: website, ...Object.fromEntries(given.filter(([name]) => name in shape)) },
  };
}

function argumentOf(parameter: string): string {
  if (parameter === 'bot_verified') return 'verified_only';
  return ['hours', 'start', 'end'].includes(parameter) ? 'period' : parameter;
}

export async function answerView(view: View, args: SharedArguments, context: ToolContext): Promise<Answer> {
  const operation = operationOf(context, view.operation);
  if (isSent(operation)) throw new Error(`${view.operation} is no read`);
  const without = view.snapshot === true ? windowAndPages : [];
  const prepared = await prepare(view.operation, args, context, without);
  const limit = view.series === true && args.limit === DEFAULT_ROWS ? SERIES_ROWS : args.limit;
  const pages = pagesOf(context.tool, args);
  const names = Object.keys(queryOf(operation).shape).filter((name) => !without.includes(name));
  const part = partOf(names, pages, limit, view);
  const { json } = await context.call(operation, {
    ...prepared.parameters,
    ...view.parameters,
    ...part.parameters,
  });
  const listed = listAt(json, view.list);
  const entries = listed.filter(view.keep ?? (() => true));
  const rows = part.rows(entries);
  return {
    notes: [...(view.notes ?? []), ...prepared.notes, ...notesOf(json), ...noteOfEnd(listed, part)],
    window: (json.window ?? null) as Answer['window'] & object,
    coverage: coverageOf(json, view),
    columns: view.columns,
    rows: rows.map((entry) => view.columns.map((column) => cellOf(fieldOf(entry, column)))),
    cursorAfter: (shown) => part.cursorAfter(shown, rows.length, { entries, json }),
    consoleUrl: urlOf(view.console, args, prepared, context),
  };
}

export function urlOf(
  { screen, rest }: View['console'],
  args: SharedArguments,
  { website, segment }: Pick<Prepared, 'website' | 'segment'>,
  context: ToolContext,
): string | null {
  if (context.console === null) return null;
  const { period, countries, verified_only: verified } = args;
  return consoleUrl(
    context.console,
    { screen, website, period, segment, countries, verified, rest },
    context.now(),
  );
}

/** Above it, unique counts are estimates (shared/reads/answer/figures.ts). */
const MOST_EXACT = 500;
const UNIQUE = ['unique_paths', 'unique_ips', 'unique_human_ips'] as const;

/** Sentences about the answer as a whole. */
export function notesOf(json: Readonly<Record<string, unknown>>): string[] {
  return [
    ...(json.data_buffering === true
      ? ['The API still computes this: empty figures are not zero. Repeat the call.']
      : []),
    ...('_pending_upload' in json
      ? ['Some lines have arrived and are not stored yet: the newest figures will grow.']
      : []),
    ...(UNIQUE.some((name) => Number(fieldOf(json, name)) > MOST_EXACT)
      ? [
          `Counts named unique are estimates above ${MOST_EXACT}, with a standard error of 0.81 %: the number of rows can differ.`,
        ]
      : []),
    ...(json.available === false ? ['The API has no data for this; coverage has the reason.'] : []),
    ...(json.sc_connected === false
      ? ['No search-performance source is connected, so these figures are missing.']
      : []),
  ];
}

function coverageOf(json: Readonly<Record<string, unknown>>, view: View): Record<string, Cell> {
  const { window: _, ...others } = scalarsOf(json, { depth: 0 }) as Record<string, Cell>;
  const parts = ['totals', 'summary', ...(view.coverage ?? [])].map((path) =>
    scalarsOf(fieldOf(json, path), { prefix: `${path}.`, depth: 0 }),
  );
  return Object.assign(others, ...parts);
}

/** A list of the greatest length ends there, not where the entries end. */
function noteOfEnd({ length }: readonly unknown[], { most }: Part): string[] {
  return most !== undefined && length >= most
    ? [`The API lists ${most} at most: filters or a shorter period show others.`]
    : [];
}

interface Part {
  /** Length of the longest list that the API gives, where it has no further pages. */
  readonly most?: number;
  readonly parameters: Parameters;
  readonly rows: (entries: readonly unknown[]) => readonly unknown[];
  readonly cursorAfter: (
    shown: number,
    rows: number,
    answer: { readonly entries: readonly unknown[]; readonly json: Readonly<Record<string, unknown>> },
  ) => string | null;
}

/** The operation's own way to give a part of its list. */
function partOf(names: readonly string[], { start, write }: Pages, limit: number, view: View): Part {
  const { offset, cursor } = start;
  const next = (shown: number) => write({ offset: offset + shown, cursor });
  if (names.includes('cursor'))
    return {
      parameters: { limit, cursor: cursor ?? undefined },
      rows: (entries) => entries.slice(offset),
      cursorAfter: (shown, rows, { json }) => {
        if (shown < rows) return next(shown);
        return typeof json.next_cursor === 'string' ? write({ offset: 0, cursor: json.next_cursor }) : null;
      },
    };
  if (names.includes('page_size'))
    return {
      parameters: { page: Math.floor(offset / limit) + 1, page_size: limit },
      rows: (entries) => entries.slice(offset % limit),
      // A full page may be followed by an empty one.
      cursorAfter: (shown, rows, { entries, json }) => {
        const ends = entries.length < limit || Number(json.total_pages) <= Math.floor(offset / limit) + 1;
        return shown === rows && ends ? null : next(shown);
      },
    };
  const most = view.mostRows ?? MOST_ROWS_OF_LIMIT;
  const asked = view.keep === undefined ? Math.min(offset + limit + 1, most) : most;
  const isLimited = names.includes('limit') && view.parameters?.limit === undefined;
  return {
    ...(isLimited && { most }),
    parameters: isLimited ? { limit: asked } : {},
    rows: (entries) => entries.slice(offset, offset + limit),
    cursorAfter: (shown, _rows, { entries }) => (entries.length > offset + shown ? next(shown) : null),
  };
}
