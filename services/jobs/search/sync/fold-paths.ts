import { addFigures, type SearchFigures } from '../../../../shared/reads/search/search-measures.js';
import { readAddress, withoutWww } from '../../../../shared/urls/path-of-address.js';
import type { UrlFigures } from './search-source.js';

/**
 * Merges figures of URLs to figures of paths, in the form of the logs. URLs that differ in scheme, www. or query string are one page. Other hosts of a domain
 * property are left out.
 * @param alike a further key of rows; '' if the path is the only one
 */
export function foldPaths<Row extends UrlFigures>(
  rows: readonly Row[],
  domain: string,
  alike: (row: Row) => string = () => '',
): (Omit<Row, 'url'> & { readonly path: string })[] {
  const folded = new Map<string, Omit<Row, 'url'> & SearchFigures & { readonly path: string }>();
  for (const { url, ...row } of rows) {
    const { host, path } = readAddress(url);
    if (host === null || withoutWww(host) !== withoutWww(domain)) continue;
    const key = JSON.stringify([path, alike({ url, ...row } as Row)]);
    const held = folded.get(key);
    const { impressions, clicks, position } = held === undefined ? row : addFigures(held, row);
    folded.set(key, { ...row, path, impressions, clicks, position });
  }
  return [...folded.values()];
}
