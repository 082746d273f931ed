import { z } from 'zod';
import { fileFormats } from '../../control/exports/file-format.js';
import { answerCompressions } from '../../store/answer-file.js';
import { crawlerRequestFilters } from '../requests/crawler-requests.js';
import { coverageStatuses } from '../sitemaps/sitemap-coverage-sql.js';
import type { Filters } from '../sql/filters.js';
import type { Scope } from '../sql/scope.js';

/** The question of an export (spec §4.10), as stored in its record: the API writes it, and the jobs service runs it. */

export const botScopes = ['all', 'search', 'ai'] as const;

/** Filters that some types do not support. */
export const exportFilters = [
  'bot',
  'bot_name',
  'bot_scope',
  'countries',
  'host',
  'status',
  'status_category',
  'filter',
  'directory',
  'pattern',
  'params_filter',
  'file_type',
  'path_filter',
] as const;
export type ExportFilter = (typeof exportFilters)[number];

/** Values of `filter`: a choice of requests, or of pages for sitemap-coverage. */
export const subFilters = [...new Set([...crawlerRequestFilters, ...coverageStatuses])] as const;

export const exportQuestion = z.object({
  /** Half-open, milliseconds since the epoch. Fixed at the request, so that each attempt makes the same file. */
  start: z.number(),
  end: z.number(),
  format: z.enum(fileFormats).default('csv'),
  compression: z.enum(answerCompressions).default('none'),
  bot: z.string().optional(),
  bot_name: z.string().optional(),
  bot_scope: z.enum(botScopes).optional(),
  countries: z.array(z.string()).optional(),
  hosts: z.array(z.string()).optional(),
  status: z.number().optional(),
  /** First digit; 0: other. */
  status_class: z.number().optional(),
  filter: z.string().optional(),
  directory: z.string().optional(),
  pattern: z.string().optional(),
  params_filter: z.enum(['all', 'with_params', 'no_params']).optional(),
  file_types: z.array(z.string()).optional(),
  path_filter: z.string().optional(),
  /** Names of requested filters that the file ignores. */
  ignored: z.array(z.string()).default([]),
});
export type ExportQuestion = z.output<typeof exportQuestion>;

/** Names of the filters that the file of a stored question ignores. Questions of other jobs have none. */
export function ignoredOf(question: string): readonly string[] {
  try {
    return exportQuestion.pick({ ignored: true }).parse(JSON.parse(question)).ignored;
  } catch {
    return [];
  }
}

/** The scope of the question, with the filters of every read of requests. Excludes filters that the type does not support. */
export function scopeOf(websiteId: string, question: ExportQuestion): Scope {
  const { bot_name, countries, hosts, status, status_class } = question;
  const { params_filter, file_types, path_filter } = question;
  const filters: Filters = {
    ...(bot_name !== undefined && { botName: bot_name }),
    ...(countries !== undefined && countries.length > 0 && { countries }),
    ...(hosts !== undefined && hosts.length > 0 && { hosts }),
    ...(status !== undefined && { status }),
    ...(status_class !== undefined && { statusClass: status_class }),
    ...(file_types !== undefined && file_types.length > 0 && { fileTypes: file_types }),
    ...(params_filter !== undefined &&
      params_filter !== 'all' && { hasQuery: params_filter === 'with_params' }),
    ...(path_filter !== undefined && { pathContains: path_filter }),
  };
  return { websiteId, window: { start: question.start, end: question.end }, filters };
}
