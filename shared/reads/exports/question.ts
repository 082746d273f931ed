import { z } from 'zod';
import { fileFormats } from '../../control/exports/file-format.js';
import { answerCompressions } from '../../store/answer-file.js';
import { crawlerRequestFilters } from '../requests/crawler-requests.js';
import { coverageStatuses } from '../sitemaps/sitemap-coverage-sql.js';
import type { Filters } from '../sql/filters.js';
import type { Scope } from '../sql/scope.js';

/** What an export is asked for (spec §4.10), as it stands in its record: the API writes it, the jobs service carries it out. */

export const botScopes = ['all', 'search', 'ai'] as const;

/** Those that some type does not know. */
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

/** Of `filter`: which requests, or of sitemap-coverage which pages. */
export const subFilters = [...new Set([...crawlerRequestFilters, ...coverageStatuses])] as const;

export const exportQuestion = z.object({
  /** Half-open, milliseconds since the epoch. Fixed when it is asked for, so that each attempt makes the same file. */
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
  /** First digit; 0: of no class. */
  status_class: z.number().optional(),
  filter: z.string().optional(),
  directory: z.string().optional(),
  pattern: z.string().optional(),
  params_filter: z.enum(['all', 'with_params', 'no_params']).optional(),
  file_types: z.array(z.string()).optional(),
  path_filter: z.string().optional(),
  /** Names of what was asked for and the file is made without. */
  ignored: z.array(z.string()).default([]),
});
export type ExportQuestion = z.output<typeof exportQuestion>;

/** Names of what the file of a stored question is made without. Questions of other jobs have none. */
export function ignoredOf(question: string): readonly string[] {
  try {
    return exportQuestion.pick({ ignored: true }).parse(JSON.parse(question)).ignored;
  } catch {
    return [];
  }
}

/** The scope that the question is read in: of filters, those that every read of requests takes. A filter that the type does not know is not in it. */
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
