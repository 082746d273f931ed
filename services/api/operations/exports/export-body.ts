import { z } from '@hono/zod-openapi';
import { statusCategories, statusClassOf } from '../../../../shared/answers/status-category.js';
import { answerCompressions } from '../../../../shared/clickhouse/answer-file.js';
import { PublicError } from '../../../../shared/errors.js';
import type { ExportType } from '../../../../shared/exports/export-type.js';
import { fileFormats } from '../../../../shared/exports/file-format.js';
import { exportTypes } from '../../../../shared/exports/list.js';
import {
  botScopes,
  type ExportFilter,
  type ExportQuestion,
  exportQuestion,
  subFilters,
} from '../../../../shared/exports/question.js';
import type { Window } from '../../../../shared/queries/scope.js';
import type { WebsiteContext } from '../../operation.js';
import { MAX_HOURS } from '../../parameters.js';
import { resolveScope } from '../../resolve-scope.js';
import { directory } from '../seo/directory-parameter.js';

/** What an export is asked for with (spec §4.10), and the question that it comes to. */

const typeNames = exportTypes.map(({ name }) => name) as [string, ...string[]];

const name = z.string().trim().min(1).max(200);

export const exportBody = z.object({
  export_type: z.enum(typeNames).openapi({
    description: exportTypes.map((type) => `\`${type.name}\`: ${type.title}, as \`${type.read}\``).join('; '),
    example: 'paths',
  }),
  hours: z.int().min(1).max(MAX_HOURS).nullish().openapi({
    description: 'Rolling window ending now; default 24. Ignored when start and end are both given.',
    example: 720,
  }),
  start: z
    .string()
    .max(40)
    .nullish()
    .openapi({ description: 'ISO 8601 date or date-time. Used only together with end.' }),
  end: z
    .string()
    .max(40)
    .nullish()
    .openapi({ description: 'ISO 8601 date (that whole day included) or date-time.' }),
  bot: name.nullish().openapi({ description: 'Only this bot, by its name or its family, ignoring case.' }),
  bot_name: name.nullish().openapi({ description: 'Only this bot, by its name, ignoring case.' }),
  bot_scope: z.enum(botScopes).nullish().openapi({
    description: 'Of the type requests: which bots. A bot that is named overrides it.',
  }),
  countries: z
    .string()
    .max(1000)
    .nullish()
    .openapi({ description: 'Comma-separated ISO 3166-1 alpha-2 codes.' }),
  status: z
    .union([z.int().min(100).max(599), z.string().max(10)])
    .nullish()
    .openapi({
      description: 'One status, or a class: 404 or 4xx.',
      example: '4xx',
    }),
  status_code: z
    .union([z.int().min(100).max(599), z.string().max(10)])
    .nullish()
    .openapi({ description: 'As status.' }),
  status_category: z.enum(statusCategories).nullish().openapi({ description: 'As status, a class.' }),
  filter: z
    .enum(subFilters as [string, ...string[]])
    .nullish()
    .openapi({
      description:
        'Of single requests: verified, unverified, a class of statuses or slowest. Of sitemap-coverage: never_crawled, recently_crawled, stale or not_in_sitemap.',
    }),
  directory: directory
    .nullish()
    .openapi({ description: 'Of crawl-budget-urls: only paths below it; default /.' }),
  pattern: z.string().min(1).max(2_048).nullish().openapi({
    description: 'Of url-pattern-urls, which needs it: a pattern as /seo/url-patterns lists it.',
    example: '/blog/{slug}',
  }),
  params_filter: z.enum(['all', 'with_params', 'no_params']).nullish(),
  file_type: z.string().max(200).nullish().openapi({ description: 'Comma-separated: html, pdf …' }),
  path_filter: z
    .string()
    .min(1)
    .max(2_048)
    .nullish()
    .openapi({ description: 'Substring of the path, ignoring case.' }),
  notify: z.boolean().default(true).openapi({
    description: 'An e-mail to the owner of the key when it is over; false for scripted use.',
  }),
  format: z.enum(fileFormats).default('csv').openapi({
    description: 'csv: RFC 4180, UTF-8, with a header; ndjson: a JSON object a line; parquet.',
  }),
  compression: z.enum(answerCompressions).default('none').openapi({
    description: 'Of the whole file. Parquet compresses its columns by itself and takes none.',
  }),
});
export type ExportBody = z.output<typeof exportBody>;

/** By which filter of a question each of the body's fields is meant. */
const filterOf: ReadonlyMap<string, ExportFilter> = new Map([
  ['bot', 'bot'],
  ['bot_name', 'bot_name'],
  ['bot_scope', 'bot_scope'],
  ['countries', 'countries'],
  ['status', 'status'],
  ['status_code', 'status'],
  ['status_category', 'status_category'],
  ['filter', 'filter'],
  ['directory', 'directory'],
  ['pattern', 'pattern'],
  ['params_filter', 'params_filter'],
  ['file_type', 'file_type'],
  ['path_filter', 'path_filter'],
]);

export interface AskedExport {
  readonly question: ExportQuestion;
  /** Names of fields that were given and that the type does not know. */
  readonly ignored: readonly string[];
}

/** @throws PublicError invalid_request naming the field. */
export function readExportBody(body: ExportBody, type: ExportType, context: WebsiteContext): AskedExport {
  const given = Object.entries(body).filter(([, value]) => value !== undefined && value !== null);
  const ignored = given
    .map(([field]) => field)
    .filter((field) => filterOf.has(field) && !type.knows.includes(filterOf.get(field)!));
  const known = Object.fromEntries(
    given.filter(([field]) => !ignored.includes(field)),
  ) as Partial<ExportBody>;
  if (type.knows.includes('pattern') && known.pattern === undefined)
    throw new PublicError(
      'invalid_request',
      'pattern: url-pattern-urls needs one, as /seo/url-patterns lists it',
    );
  const { window, filters } = resolveScope(
    {
      hours: known.hours ?? 24,
      start: known.start ?? undefined,
      end: known.end ?? undefined,
      countries: known.countries ?? undefined,
      file_type: known.file_type ?? undefined,
    },
    context,
  );
  const question = exportQuestion.parse({
    start: window.start,
    end: window.end,
    format: body.format,
    compression: body.compression,
    bot: known.bot ?? undefined,
    bot_name: known.bot_name ?? undefined,
    bot_scope: known.bot_scope ?? undefined,
    countries: filters.countries,
    ...statusOf(known),
    filter: known.filter ?? undefined,
    directory: known.directory ?? undefined,
    pattern: known.pattern ?? undefined,
    params_filter: known.params_filter ?? undefined,
    file_types: filters.fileTypes,
    path_filter: known.path_filter ?? undefined,
  });
  return { question, ignored };
}

/** @throws PublicError invalid_request */
function statusOf({ status, status_code, status_category }: Partial<ExportBody>): Partial<ExportQuestion> {
  const told: Partial<Record<'status' | 'status_class', number>> = {};
  for (const [field, value] of Object.entries({ status, status_code, status_category })) {
    if (value === undefined || value === null) continue;
    const text = String(value).toLowerCase();
    const category = statusCategories.find((each) => each === text);
    if (category !== undefined) told.status_class = statusClassOf(category);
    else if (/^[1-5]\d\d$/.test(text)) told.status = Number(text);
    else
      throw new PublicError(
        'invalid_request',
        `${field}: expected a status such as 404, or a class such as 4xx`,
      );
  }
  return told;
}

/** The question for people, on one line. */
export function describeExport(
  type: ExportType,
  body: ExportBody,
  ignored: readonly string[],
  window: Window,
): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const filters = [...filterOf.keys()].flatMap((field) => {
    const value = body[field as keyof ExportBody];
    return value === undefined || value === null || ignored.includes(field) ? [] : [`${field} ${value}`];
  });
  return [`${type.title}`, `${day(window.start)} to ${day(window.end)} UTC`, ...filters]
    .join(', ')
    .slice(0, 2_000);
}
