import { PublicError } from '../../../../shared/errors.js';
import {
  type StatusCategory,
  statusCategories,
  statusClassOf,
} from '../../../../shared/reads/answer/status-category.js';
import type { ExportType } from '../../../../shared/reads/exports/export-type.js';
import {
  type ExportFilter,
  type ExportQuestion,
  exportQuestion,
} from '../../../../shared/reads/exports/question.js';
import type { Window } from '../../../../shared/reads/sql/scope.js';
import type { WebsiteContext } from '../../operation/operation.js';
import { resolveScope } from '../../operation/resolve-scope.js';
import type { ExportBody } from './export-body.js';

/** The query of an export request, and the effective fields of its body. */

/** The filter of the query that each body field sets; null: a filter of reads that exports ignore. */
const filterOf: ReadonlyMap<string, ExportFilter | null> = new Map([
  ['bot', 'bot'],
  ['bot_name', 'bot_name'],
  ['bot_scope', 'bot_scope'],
  ['countries', 'countries'],
  ['host', 'host'],
  ['status', 'status'],
  ['status_code', 'status'],
  ['status_category', 'status_category'],
  ['filter', 'filter'],
  ['directory', 'directory'],
  ['pattern', 'pattern'],
  ['params_filter', 'params_filter'],
  ['file_type', 'file_type'],
  ['path_filter', 'path_filter'],
  ['segment', null],
  ['bot_family', null],
  ['verified', null],
  ['params', null],
]);

/** Fields that choose the type and the notification, not the content of the file. */
const notFilters: ReadonlySet<string> = new Set(['export_type', 'notify']);

/** UTF-16 code units of the JSON that the state of every service stores for each export. */
const MOST_FILTERS = 4_000;

export interface AskedExport {
  readonly question: ExportQuestion;
  /** Effective fields of the body, as sent. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** Sent fields without effect on the file. */
  readonly ignored: readonly string[];
}

/** @throws PublicError invalid_request naming the field. */
export function readExportBody(body: ExportBody, type: ExportType, context: WebsiteContext): AskedExport {
  const fields = Object.entries(body).filter(
    ([field, value]) => value !== undefined && value !== null && !notFilters.has(field),
  );
  const isIgnored = ignores(body, type);
  const ignored = fields.map(([field]) => field).filter(isIgnored);
  const filters = Object.fromEntries(fields.filter(([field]) => !isIgnored(field)));
  const filterFields = filters as Partial<ExportBody>;
  refuseHalfWindow(body);
  checkFilter(filterFields, type);
  const scope = resolveScope(
    {
      hours: filterFields.hours ?? 24,
      start: filterFields.start ?? undefined,
      end: filterFields.end ?? undefined,
      countries: filterFields.countries ?? undefined,
      host: filterFields.host ?? undefined,
      file_type: filterFields.file_type ?? undefined,
    },
    context,
  );
  const status = statusOf(filterFields);
  refuseOtherClass(filterFields.filter ?? undefined, status);
  const { now } = context;
  const window = type.since === undefined ? scope.window : { start: type.since(now), end: now };
  const question = exportQuestion.parse({
    start: window.start,
    end: window.end,
    format: body.format,
    compression: filterFields.compression ?? 'none',
    bot: filterFields.bot ?? undefined,
    bot_name: filterFields.bot_name ?? undefined,
    bot_scope: filterFields.bot_scope ?? undefined,
    countries: scope.filters.countries,
    hosts: scope.filters.hosts,
    ...status,
    filter: filterFields.filter ?? undefined,
    directory: filterFields.directory ?? undefined,
    pattern: filterFields.pattern ?? undefined,
    params_filter: filterFields.params_filter ?? undefined,
    file_types: scope.filters.fileTypes,
    path_filter: filterFields.path_filter ?? undefined,
    ignored,
  });
  checkLength(filters, question);
  return { question, filters, ignored };
}

/** A file of an unintended window would be made and trusted. @throws PublicError invalid_request */
function refuseHalfWindow({ start, end }: ExportBody): void {
  const [present, missing] = (start ?? null) === null ? ['end', 'start'] : ['start', 'end'];
  if (((start ?? null) === null) !== ((end ?? null) === null))
    throw new PublicError('invalid_request', `${present}: needs ${missing}, which is missing`);
}

/** @returns whether a field has no effect on the file. */
function ignores(body: ExportBody, type: ExportType): (field: string) => boolean {
  const hasBoth = (body.start ?? null) !== null && (body.end ?? null) !== null;
  const isNamed = (body.bot ?? null) !== null || (body.bot_name ?? null) !== null;
  return (field) => {
    if (field === 'hours') return type.since !== undefined || hasBoth;
    if (field === 'start' || field === 'end') return type.since !== undefined;
    // Parquet compresses its columns by itself.
    if (field === 'compression') return body.format === 'parquet' && body.compression !== 'none';
    // Naming a bot overrides the scope (spec §4.10).
    if (field === 'bot_scope' && isNamed) return true;
    const filter = filterOf.get(field);
    return filter !== undefined && (filter === null || !type.knows.includes(filter));
  };
}

/** @throws PublicError invalid_request */
function checkFilter({ filter, pattern }: Partial<ExportBody>, type: ExportType): void {
  if (type.knows.includes('pattern') && pattern === undefined)
    throw new PublicError(
      'invalid_request',
      'pattern: url-pattern-urls needs one, as /seo/url-patterns lists it',
    );
  const { filterValues = [] } = type;
  if (filter !== undefined && filter !== null && !filterValues.includes(filter))
    throw new PublicError(
      'invalid_request',
      `filter: expected one of ${filterValues.join(', ')} with the type ${type.name}, got "${filter}"`,
    );
}

/** @throws PublicError invalid_request naming the longest field. */
function checkLength(filters: Readonly<Record<string, unknown>>, question: ExportQuestion): void {
  const length = (value: unknown) => JSON.stringify(value).length;
  if (length(filters) <= MOST_FILTERS && length(question) <= MOST_FILTERS) return;
  const [longest] = Object.entries(filters).sort(([, one], [, other]) => length(other) - length(one));
  throw new PublicError(
    'invalid_request',
    `${longest![0]}: the filters of an export may have ${MOST_FILTERS} characters together; this one is the longest`,
  );
}

type Status = Partial<Record<'status' | 'status_class', number>>;

/** @throws PublicError invalid_request also if two of the fields contradict each other. */
function statusOf({ status, status_code, status_category }: Partial<ExportBody>): Status {
  const merged: Status = {};
  let first: string | null = null;
  for (const [field, value] of Object.entries({ status, status_code, status_category })) {
    if (value === undefined || value === null) continue;
    const one = parseStatus(field, String(value).toLowerCase());
    const now = { ...merged, ...one };
    const isChanged = Object.entries(one).some(
      ([name, number]) =>
        merged[name as keyof Status] !== undefined && merged[name as keyof Status] !== number,
    );
    const isOutside =
      now.status !== undefined &&
      now.status_class !== undefined &&
      Math.floor(now.status / 100) !== now.status_class;
    if (first !== null && (isChanged || isOutside))
      throw new PublicError('invalid_request', `${field}: differs from ${first}`);
    first ??= field;
    Object.assign(merged, one);
  }
  return merged;
}

/** @throws PublicError invalid_request if no status belongs to both classes. */
function refuseOtherClass(filter: string | undefined, { status, status_class }: Status): void {
  const statusClass = status === undefined ? status_class : Math.floor(status / 100);
  if (
    statusClass !== undefined &&
    filter !== undefined &&
    /^[1-5]xx$/.test(filter) &&
    filter[0] !== String(statusClass)
  )
    throw new PublicError('invalid_request', `filter: ${filter} differs from the other status`);
}

/** @throws PublicError invalid_request */
function parseStatus(field: string, text: string): Status {
  const category: StatusCategory | undefined = statusCategories.find((each) => each === text);
  if (category !== undefined) return { status_class: statusClassOf(category) };
  if (/^[1-5]\d\d$/.test(text)) return { status: Number(text) };
  throw new PublicError('invalid_request', `${field}: expected a status such as 404, or a class such as 4xx`);
}

/** The effective query as one line of text. */
export function describeExport(
  type: ExportType,
  filters: Readonly<Record<string, unknown>>,
  window: Window,
): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const filterTexts = Object.entries(filters)
    .filter(([field]) => filterOf.has(field))
    .map(([field, value]) => `${field} ${String(value)}`);
  return [`${type.title}`, `${day(window.start)} to ${day(window.end)} UTC`, ...filterTexts]
    .join(', ')
    .slice(0, 2_000);
}
