/** Finds the fields of a request among the columns of W3C-extended logs and Amazon CloudFront's, by name. */

/** Positions of columns; -1 for a missing one. */
export interface Columns {
  readonly kind: 'iis' | 'cloudfront' | 'any';
  /** Number of columns. */
  readonly count: number;
  readonly date: number;
  readonly time: number;
  readonly epoch: number;
  readonly clientIp: number;
  readonly forwardedFor: number;
  readonly method: number;
  readonly stem: number;
  readonly query: number;
  /** Path and query in one, with or without the host. */
  readonly uri: number;
  readonly host: number;
  readonly protocol: number;
  readonly status: number;
  readonly bytes: number;
  readonly timeTaken: number;
  readonly userAgent: number;
  readonly referrer: number;
  readonly requestId: number;
  readonly contentType: number;
  readonly cacheStatus: number;
  readonly country: number;
  readonly asn: number;
  /** The last of these: a line must have as many columns. */
  readonly last: number;
  /** Whether the column at each place is read, up to the last one that is. */
  readonly isRead: readonly boolean[];
  /** The required fields that are missing; '' if none is. */
  readonly missing: string;
}

/** More columns than any log has; later columns are not read. */
const MOST_COLUMNS = 256;

/**
 * @param names from the log's header, the URL or the vendor's documents; case does not count
 * @param writer program that wrote the lines, if the source names it: the chosen columns may be common to all writers
 */
export function columnsOf(names: readonly string[], writer?: 'cloudfront'): Columns {
  const places = new Map<string, number>();
  names.slice(0, MOST_COLUMNS).forEach((name, index) => {
    const known = name.toLowerCase();
    if (!places.has(known)) places.set(known, index);
  });
  const find = (...aliases: string[]) => {
    for (const alias of aliases) {
      const place = places.get(alias);
      if (place !== undefined) return place;
    }
    return -1;
  };
  const kind = writer ?? kindOf(places);
  const found = {
    date: find('date'),
    time: find('time'),
    epoch: find('timestamp(ms)', 'timestamp', 'cs-start'),
    clientIp: find('c-ip', 'cs-ip', 'client-ip'),
    forwardedFor: find('x-forwarded-for', 'cs(x-forwarded-for)', 'cs-x-forwarded-for', 's-xff'),
    method: find('cs-method', 'method'),
    stem: find('cs-uri-stem', 'uri-stem'),
    query: find('cs-uri-query', 'uri-query'),
    uri: find('cs-uri', 'uri'),
    host: hostOf(find, places),
    protocol: find('cs-version', 'cs-protocol-version'),
    status: find('sc-status', 'status'),
    bytes: find('sc-bytes', 'bytes'),
    timeTaken: find('time-taken'),
    userAgent: find('cs(user-agent)', 'cs-user-agent'),
    referrer: find('cs(referer)', 'cs-referer', 'cs(referrer)'),
    requestId: find('x-edge-request-id', 's-externalid'),
    contentType: find('sc-content-type', 'sc(content-type)'),
    cacheStatus: find('x-edge-result-type', 'x-cache-info'),
    country: find('c-country', 'cs-countrycode'),
    asn: find('asn'),
  };
  const needed = [found.clientIp, found.status, Math.max(found.stem, found.uri)];
  if (found.epoch === -1) needed.push(found.time);
  return {
    kind,
    count: names.length,
    ...found,
    last: Math.max(...needed, found.epoch === -1 ? found.date : -1),
    isRead: placesRead(Object.values(found)),
    missing: missingOf(found),
  };
}

function placesRead(places: readonly number[]): readonly boolean[] {
  return Array.from({ length: Math.max(...places) + 1 }, (_, place) => places.includes(place));
}

/** Columns that only IIS writes. */
const iisAlone = ['sc-win32-status', 's-sitename', 'sc-substatus'];

/** Columns that only CloudFront writes. */
const cloudfrontAlone = [
  'x-edge-location',
  'x-edge-result-type',
  'x-edge-request-id',
  'x-edge-response-result-type',
  'x-edge-detailed-result-type',
  'x-host-header',
  'timestamp(ms)',
];

function kindOf(places: ReadonlyMap<string, number>): Columns['kind'] {
  if (iisAlone.some((name) => places.has(name))) return 'iis';
  return cloudfrontAlone.some((name) => places.has(name)) ? 'cloudfront' : 'any';
}

/**
 * CloudFront's real-time logs have the visitor's host in `cs-host` and the distribution in `x-host-header`; its standard logs
 * have the visitor's in `x-host-header` and the distribution in `cs(Host)`.
 */
function hostOf(find: (...names: string[]) => number, places: ReadonlyMap<string, number>): number {
  return places.has('cs-host') ? find('cs-host') : find('x-host-header', 'cs(host)', 's-host', 'host');
}

function missingOf(
  found: Readonly<Record<'time' | 'epoch' | 'clientIp' | 'stem' | 'uri' | 'status', number>>,
): string {
  if (found.time === -1 && found.epoch === -1) return 'the time (date and time)';
  if (found.clientIp === -1) return 'the client’s address (c-ip)';
  if (found.stem === -1 && found.uri === -1) return 'the path (cs-uri-stem)';
  return found.status === -1 ? 'the status (sc-status)' : '';
}
