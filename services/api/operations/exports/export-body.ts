import { z } from '@hono/zod-openapi';
import { fileFormats } from '../../../../shared/control/exports/file-format.js';
import { statusCategories } from '../../../../shared/reads/answer/status-category.js';
import { exportTypes } from '../../../../shared/reads/exports/all-export-types.js';
import { botScopes, subFilters } from '../../../../shared/reads/exports/question.js';
import { answerCompressions } from '../../../../shared/store/answer-file.js';
import { MAX_HOURS, UNKNOWN_NAME } from '../../operation/parameters.js';
import { directory } from '../seo/directory-parameter.js';

/** Body of a request for an export (spec §4.10). */

const typeNames = exportTypes.map(({ name }) => name) as [string, ...string[]];

/** Control characters and halves of surrogate pairs are in no log and must not reach a file. */
function isPlain(text: string, context: z.RefinementCtx): void {
  if (/[\p{Cc}\p{Cs}]/u.test(text)) context.addIssue('a text without control characters');
}
const plain = (longest: number) => z.string().max(longest).superRefine(isPlain);

const name = plain(200).trim().min(1);

/** A filter of reads that no export supports: listed in `ignored_filters`. */
const ofReads = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .openapi({ description: 'A filter of reads; ignored here and listed in `ignored_filters`.' });

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
  bot: name
    .nullish()
    .openapi({ description: `Only this bot, by its name or its family, ignoring case. ${UNKNOWN_NAME}` }),
  bot_name: name
    .nullish()
    .openapi({ description: `Only this bot, by its name, ignoring case. ${UNKNOWN_NAME}` }),
  bot_scope: z.enum(botScopes).nullish().openapi({
    description: 'Bots of the type requests. A named bot overrides it.',
  }),
  host: plain(1000).nullish().openapi({ description: 'Comma-separated host names.' }),
  countries: plain(1000).nullish().openapi({ description: 'Comma-separated ISO 3166-1 alpha-2 codes.' }),
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
  status_category: z.enum(statusCategories).nullish().openapi({ description: 'Status class, as in status.' }),
  filter: z
    .enum(subFilters as [string, ...string[]])
    .nullish()
    .openapi({
      description:
        'For single requests: verified, unverified, a status class or slowest. For sitemap-coverage: never_crawled, recently_crawled, stale or not_in_sitemap.',
    }),
  directory: plain(2_048)
    .pipe(directory)
    .nullish()
    .openapi({ description: 'For crawl-budget-urls: only paths below this directory; default /.' }),
  pattern: plain(2_048).min(1).nullish().openapi({
    description: 'Required for url-pattern-urls: a pattern from /seo/url-patterns.',
    example: '/blog/{slug}',
  }),
  params_filter: z.enum(['all', 'with_params', 'no_params']).nullish(),
  file_type: plain(200).nullish().openapi({ description: 'Comma-separated: html, pdf …' }),
  path_filter: plain(2_048)
    .min(1)
    .nullish()
    .openapi({ description: 'Substring of the path, ignoring case.' }),
  segment: ofReads(z.string().max(200)),
  bot_family: ofReads(z.string().max(200)),
  verified: ofReads(z.boolean()),
  params: ofReads(z.string().max(20)),
  notify: z.boolean().default(true).openapi({
    description: 'Whether to e-mail the owner of the key at the end; false for scripted use.',
  }),
  format: z.enum(fileFormats).default('csv').openapi({
    description: 'csv: RFC 4180, UTF-8, with a header; ndjson: a JSON object a line; parquet.',
  }),
  compression: z.enum(answerCompressions).default('none').openapi({
    description: 'Compression of the whole file. Not for parquet, which compresses its columns.',
  }),
});
export type ExportBody = z.output<typeof exportBody>;
