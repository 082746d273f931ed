import { connectionOf } from '../../control/aggregates/connection.js';
import type { Connection, ConnectionKind } from '../../control/domain/model.js';
import type { ControlState } from '../../control/domain/state.js';

/** The connection whose rows the answers about search results use. */
export type SearchConnection = Pick<Connection, 'websiteId' | 'sourceId' | 'kind' | 'property'>;

/** Search-performance sources. If a website has several, the first one is used. */
export const searchKinds = [
  'google-search-console',
  'bing-webmaster',
] as const satisfies readonly ConnectionKind[];

/** null: the website has no search-performance source. */
export function searchConnectionOf(state: ControlState, websiteId: string): SearchConnection | null {
  for (const kind of searchKinds) {
    const found = connectionOf(state, websiteId, kind);
    if (found === null) continue;
    const { sourceId, property } = found;
    return { websiteId, sourceId, kind, property };
  }
  return null;
}
