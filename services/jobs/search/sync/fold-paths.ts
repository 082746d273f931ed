import { addFigures, type SearchFigures } from '../../../../shared/reads/search/search-measures.js';
import { readAddress, withoutWww } from '../../../../shared/urls/path-of-address.js';
import type { UrlFigures } from './search-source.js';

/**
 * Figures of URLs as figures of paths, as logs have them: URLs that differ in scheme, www. or query string are one page. Those of other hosts,
 * which a property of a whole domain has, are left out.
 * @param alike what else tells two rows apart; '' where the path says all.
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
