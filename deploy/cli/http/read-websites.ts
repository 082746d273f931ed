import { CliError, exitCodes } from '../cli-error.js';
import { isRow, type Row } from '../output/rows.js';
import type { ApiClient } from './api-client.js';

export type Website = Row & { readonly id: string; readonly domain: string };

/** The websites of the key, with the headers of the answer. @throws CliError for an answer of another form. */
export async function readWebsites(
  api: ApiClient,
): Promise<{ websites: readonly Website[]; headers: Headers }> {
  const { json, headers } = await api.call({ method: 'GET', path: '/public/v1/websites' });
  const list = isRow(json) ? json.websites : undefined;
  if (!Array.isArray(list) || !list.every(isWebsite))
    throw new CliError('the answer contains no list of websites', exitCodes.server);
  return { websites: list, headers };
}

/** The first ones, as text. */
export function websitesText(websites: readonly Website[]): string {
  const names = websites.slice(0, 10).map(({ domain, id }) => `${domain} (${id})`);
  return names.length === 0
    ? 'no websites'
    : `websites: ${names.join(', ')}${websites.length > 10 ? ' …' : ''}`;
}

function isWebsite(value: unknown): value is Website {
  return isRow(value) && typeof value.id === 'string' && typeof value.domain === 'string';
}
