import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { normaliseIp } from './util/client-ip.js';
import { readBytes, readCountry, readNumber, readText } from './util/coerce.js';
import { quote } from './util/cut-text.js';
import { notATime } from './util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import type { LineSource, Parsed, Rejection } from './util/source.js';
import { splitHostFromTarget } from './util/target.js';

/**
 * Bunny CDN's log lines: docs/sources/bunny.md.
 * `cache|status|milliseconds|bytes|pull zone|address|referer|url|edge|user agent|request id|country`
 */
export const bunny: LineSource = {
  name: 'bunny',
  shape: 'lines',
  detect: (line) => /^(?:\ufeff|BOM)?(?:-|[A-Za-z]{1,16})\|\d{1,3}\|\d{10,13}\|[\d-]/.test(line.slice(0, 64)),
  open: () => parser,
};

const notBunny: Rejection = { reject: 'not a line of Bunny’s 12 fields with | between them' };

const ambiguous: Rejection = {
  reject:
    'a referer, URL or user agent holds bars and what looks like a URL: which one was asked for is unknown',
};

/** Fields before the referer, which is the first that may contain a bar. */
const FIRST_FIELDS = 6;

const parser = {
  parse(line: string): Parsed {
    const first: string[] = [];
    let at = line.charCodeAt(0) === 0xfeff ? 1 : line.startsWith('BOM') ? 3 : 0;
    while (first.length < FIRST_FIELDS) {
      const bar = line.indexOf('|', at);
      if (bar === -1) return notBunny;
      first.push(line.slice(at, bar));
      at = bar + 1;
    }
    const countryAt = line.lastIndexOf('|');
    const idAt = line.lastIndexOf('|', countryAt - 1);
    // A referer, a URL and a user agent may contain bars. The URL begins with its scheme, and the edge after it is a
    // short code.
    const urlAt = findUrl(line, at);
    const edgeAt = findEdge(line, urlAt);
    const agentAt = edgeAt === -1 ? -1 : line.indexOf('|', edgeAt + 1);
    if (urlAt === -1 || agentAt === -1 || idAt <= agentAt) return notBunny;
    if (holdsUrl(line.slice(urlAt, idAt + 1))) return ambiguous;
    const [cache, status, time, bytes, , address] = first as [string, string, string, string, string, string];
    const timestamp = wholeMilliseconds(parseTimestamp(time));
    if (!Number.isSafeInteger(timestamp)) return notATime(time, 'milliseconds since the epoch');
    const client = normaliseIp(address);
    if (client === '') return { reject: `client_ip: not an IP address: ${quote(address)}` };
    const { target, host } = splitHostFromTarget(line.slice(urlAt, edgeAt));
    return {
      timestamp,
      client_ip: client,
      method: '',
      host,
      target,
      protocol: '',
      status: readNumber(status),
      bytes_sent: readBytes(bytes),
      time_taken_ms: null,
      user_agent: readText(line.slice(agentAt + 1, idAt)),
      referrer: readText(line.slice(at, urlAt - 1)),
      request_id: readText(line.slice(idAt + 1, countryAt)),
      content_type: '',
      cache_status: readText(cache).toLowerCase(),
      source_country: readCountry(line.slice(countryAt + 1).trim()),
      source_asn: null,
      cdn_bot_category: '',
    } satisfies RawRequest;
  },
};

/** Whether a bar, a URL and an edge's code follow: a client could choose its host by a referer with bars. */
function holdsUrl(behind: string): boolean {
  return findEdge(behind, findUrl(behind, 0)) !== -1;
}

/** Start of the URL: after the bar that ends the referer, which begins at `at`. */
function findUrl(line: string, at: number): number {
  for (let bar = line.indexOf('|', at); bar !== -1; bar = line.indexOf('|', bar + 1)) {
    if (line.startsWith('http://', bar + 1) || line.startsWith('https://', bar + 1)) return bar + 1;
  }
  return -1;
}

/** The bar before the first field after the URL's start that is a code such as WA or NY1; -1 for none. */
function findEdge(line: string, from: number): number {
  if (from === -1) return -1;
  for (let bar = line.indexOf('|', from); bar !== -1; bar = line.indexOf('|', bar + 1)) {
    if (/^[A-Z0-9]{2,4}\||^-\|/.test(line.slice(bar + 1, bar + 6))) return bar;
  }
  return -1;
}
