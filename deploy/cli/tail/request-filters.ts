import { type Command, Option } from 'commander';
import { usageError } from '../cli-error.js';
import type { Row } from '../output/rows.js';

/** Filters of single requests: most of them are the API's own. */

export interface RequestFilters {
  readonly bot?: string;
  readonly who?: (typeof WHO)[number];
  readonly status?: string;
  readonly path?: string;
  readonly ip?: string;
  readonly country?: string;
  readonly verified?: boolean;
}

const WHO = ['all', 'people', 'bots', 'search', 'ai'] as const;

export function addRequestFilters(command: Command): Command {
  return command
    .option('--bot <name>', 'requests that claim to be this bot')
    .addOption(new Option('--who <group>', 'whose requests').choices(WHO).default('all'))
    .option('--status <code>', 'a status, or a class: 404, 5xx')
    .option('--path <text>', 'part of the path')
    .option('--ip <address>', 'client address')
    .option('--country <code>', 'ISO 3166-1 alpha-2 code')
    .option('--verified', 'requests of verified bots')
    .option('--no-verified', 'requests of bots whose verification failed');
}

/** Parameters of `/requests`. @throws CliError for a wrong status */
export function filterQuery({
  bot,
  who,
  status,
  path,
  ip,
  country,
  verified,
}: RequestFilters): URLSearchParams {
  const isBot = who === undefined || who === 'all' ? undefined : who !== 'people';
  const filters: [string, string | boolean | undefined][] = [
    ['bot', bot],
    ['is_bot', isBot],
    ['path', path],
    ['client_ip', ip],
    ['country', country],
    ['bot_verified', verified],
    statusFilter(status),
  ];
  return new URLSearchParams(
    filters.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  );
}

/** A filter that the API does not have: the category of the bot. */
export function isWanted(row: Row, { who }: RequestFilters): boolean {
  return who === 'search' || who === 'ai' ? row.bot_category === who : true;
}

function statusFilter(status: string | undefined): [string, string | undefined] {
  if (status === undefined || /^\d{3}$/.test(status)) return ['status', status];
  if (/^[1-5]xx$/i.test(status)) return ['status_category', status.toLowerCase()];
  throw usageError(`--status "${status}": expected a status such as 404, or a class such as 5xx`);
}
