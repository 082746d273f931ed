import type { CrawlLink } from '../../../../../shared/reads/crawls/findings/crawl-page.js';
import { isUrl } from '../../../../../shared/urls/is-url.js';
import { normalUrl } from '../../../../../shared/urls/normal-spelling.js';
import { plainName } from './columns.js';
import { type Table, UploadError } from './read-upload.js';

/** Links of an uploaded crawl: Screaming Frog's All Inlinks and All Outlinks, Sitebulb's links, or any table with a source and a target. */

const names = {
  source: ['source', 'sourceurl', 'from', 'fromurl', 'referringurl', 'linkingurl'],
  target: ['destination', 'destinationurl', 'target', 'targeturl', 'to', 'tourl', 'linkedurl'],
  anchor: ['anchor', 'anchortext', 'text'],
  follow: ['follow'],
  nofollow: ['nofollow'],
  type: ['type', 'linktype'],
} as const;

/** The types of hyperlinks. Other types are resources of the page. */
const hyperlinks = new Set(['', 'hyperlink', 'hyperlinks', 'ahref', 'anchor', 'internal', 'a']);

/** Links between pages of the upload. @param numbers of pages, by URL. @throws UploadError */
export async function* readLinks(
  table: Table,
  numbers: ReadonlyMap<string, number>,
  most: number,
): AsyncGenerator<CrawlLink> {
  const header = table.kind === 'list' ? [] : table.header.map(plainName);
  const placeOf = (accepted: readonly string[]) => header.findIndex((name) => accepted.includes(name));
  const source = placeOf(names.source);
  const target = placeOf(names.target);
  if (source < 0 || target < 0)
    throw new UploadError('the file of links has no columns Source and Destination');
  const [anchor, follow, nofollow, type] = [names.anchor, names.follow, names.nofollow, names.type].map(
    placeOf,
  );
  let count = 0;
  for await (const row of table.rows) {
    const text = (place: number | undefined) => row[place ?? -1]?.trim() ?? '';
    if (!hyperlinks.has(plainName(text(type)))) continue;
    const from = numbers.get(plainUrl(text(source)));
    const to = numbers.get(plainUrl(text(target)));
    if (from === undefined || to === undefined || from === to) continue;
    count += 1;
    if (count > most) throw new UploadError(`the file of links has more than ${most} links`);
    yield {
      ...{ from, to, kind: 'a', anchor: text(anchor).slice(0, 200) },
      nofollow: /^(false|no|0)$/i.test(text(follow)) || /^(true|yes|1)$/i.test(text(nofollow)),
    };
  }
}

function plainUrl(text: string): string {
  return isUrl(text) ? normalUrl(new URL(text)) : '';
}
