/** The known columns of an uploaded crawl: those of Screaming Frog's Internal tab and of Sitebulb's URL lists, and plain names for them. */

export type Field =
  | 'url'
  | 'contentType'
  | 'status'
  | 'indexability'
  | 'indexabilityReason'
  | 'title'
  | 'description'
  | 'h1'
  | 'secondH1'
  | 'secondTitle'
  | 'metaRobots'
  | 'xRobotsTag'
  | 'canonical'
  | 'redirectTo'
  | 'bytes'
  | 'words'
  | 'seconds'
  | 'milliseconds'
  | 'depth'
  | 'inlinks'
  | 'outlinks'
  | 'externalOutlinks'
  | 'lang'
  | 'digest'
  | 'inSitemap';

/** The accepted names of each field, the best first. If a file has several, the first counts. */
const names: Readonly<Record<Field, readonly string[]>> = {
  url: ['address', 'url', 'urlencodedaddress', 'page', 'loc'],
  contentType: ['contenttype', 'content', 'mimetype'],
  status: ['statuscode', 'httpstatuscode', 'httpstatus', 'responsecode', 'status'],
  indexability: ['indexability', 'indexable', 'indexablestatus'],
  indexabilityReason: ['indexabilitystatus', 'indexabilityreason'],
  title: ['title1', 'title', 'pagetitle', 'titletag'],
  secondTitle: ['title2'],
  description: ['metadescription1', 'metadescription', 'description'],
  h1: ['h11', 'h1', 'firsth1'],
  secondH1: ['h12'],
  metaRobots: ['metarobots1', 'metarobots', 'robotsdirectives'],
  xRobotsTag: ['xrobotstag1', 'xrobotstag'],
  canonical: ['canonicallinkelement1', 'canonical1', 'canonicalurl', 'canonical', 'canonicallink'],
  redirectTo: ['redirecturl', 'redirecturi', 'redirecturi1', 'redirectsto', 'redirecttarget'],
  bytes: ['sizebytes', 'size', 'htmlsizebytes', 'pagesizebytes'],
  words: ['wordcount', 'nowords', 'contentwordcount', 'words'],
  seconds: ['responsetime', 'responsetimeseconds', 'responsetimes'],
  milliseconds: ['ttfbms', 'timetofirstbytems', 'ttfb', 'responsetimems'],
  depth: ['crawldepth', 'depth', 'clickdepth'],
  inlinks: [
    'uniqueinlinks',
    'noinboundinternallinks',
    'nointernallinkingurls',
    'internallinkingurls',
    'inlinks',
  ],
  outlinks: ['uniqueoutlinks', 'nointernaloutlinks', 'internaloutlinks', 'outlinks'],
  externalOutlinks: ['uniqueexternaloutlinks', 'externaloutlinks', 'noexternaloutlinks'],
  lang: ['language', 'htmllanguage', 'lang'],
  digest: ['hash', 'contenthash'],
  inSitemap: ['insitemap', 'insitemaps', 'isinsitemap', 'foundinsitemap'],
};

/** Maps fields to columns. Names are compared by letters and digits alone: `H1-1` is `h11`. Unknown columns are left out. */
export function columnsOf(header: readonly string[]): ReadonlyMap<Field, number> {
  const places = new Map<string, number>();
  for (const [place, name] of header.entries()) {
    const plain = plainName(name);
    if (plain !== '' && !places.has(plain)) places.set(plain, place);
  }
  const found = new Map<Field, number>();
  for (const [field, accepted] of Object.entries(names) as [Field, readonly string[]][]) {
    const known = accepted.find((name) => places.has(name));
    if (known !== undefined) found.set(field, places.get(known)!);
  }
  return found;
}

export function plainName(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
