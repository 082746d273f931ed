import { CliError, exitCodes, usageError } from '../cli-error.js';
import { isRow } from '../output/rows.js';
import type { ApiClient } from './api-client.js';

const MOST_NAMES = 10;

/**
 * Id of a segment, from its id or its name. The API ignores an unknown id and answers for all pages, so it is looked up here.
 * @throws CliError if the website has no such segment, or several of this name
 */
export async function findSegment(api: ApiClient, website: string, given: string): Promise<string> {
  const path = `/public/v1/websites/${encodeURIComponent(website)}/segments`;
  const { json } = await api.call({ method: 'GET', path });
  const list: readonly unknown[] = isRow(json) && Array.isArray(json.segments) ? json.segments : [];
  const segments = list.flatMap((one) =>
    isRow(one) && typeof one.segment_id === 'string' ? [{ id: one.segment_id, name: String(one.name) }] : [],
  );
  const isNamed = ({ name }: { name: string }) => name.toLowerCase() === given.toLowerCase();
  const named = segments.filter(isNamed);
  const found = segments.find(({ id }) => id === given) ?? named[0];
  if (found !== undefined && found.id !== given && named.length > 1) {
    const ids = named.slice(0, MOST_NAMES).map(({ id }) => id);
    throw usageError(
      `several segments have the name "${found.name}": give the id of one, ${ids.join(' or ')}`,
    );
  }
  if (found !== undefined) return found.id;
  const names = segments.slice(0, MOST_NAMES).map(({ id, name }) => `${name} (${id})`);
  const known = names.length === 0 ? 'there are none' : `segments: ${names.join(', ')}`;
  throw new CliError(`no segment "${given.slice(0, 100)}"; ${known}`, exitCodes.notFound);
}
