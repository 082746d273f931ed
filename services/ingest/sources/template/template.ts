import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses } from '../util/choose-client.js';
import { normaliseIp } from '../util/client-ip.js';
import {
  readBytes,
  readCountry,
  readMediaType,
  readMilliseconds,
  readNumber,
  readText,
} from '../util/coerce.js';
import { quote } from '../util/cut-text.js';
import { notATime } from '../util/not-a-time.js';
import {
  parseClockTime,
  parseCommonLogTime,
  parseTimestamp,
  wholeMilliseconds,
} from '../util/parse-timestamp.js';
import { type RequestLine, splitRequestLine } from '../util/request-line.js';
import type { LineSource, Parsed } from '../util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from '../util/target.js';
import { readTimezone, type ToInstant } from '../util/timezone.js';
import { unescapeLogText } from '../util/unescape-log-text.js';
import { type Layout, readFormat, refused } from './template-format.js';
import type { Part } from './template-variables.js';
import { createWalk } from './walk-layout.js';

/**
 * Lines in a custom format, which `?format=` describes in the notation of nginx or Apache:
 * docs/sources/own-format.md. It is never detected; only `?format=` selects it.
 */
export const template: LineSource = {
  name: 'template',
  shape: 'lines',
  takesAnyText: true,
  detect: () => false,
  open: ({ query }) => {
    const format = query.get('format') ?? '';
    if (format === '') throw refused('missing; give the log format of your server, percent-encoded');
    return openLayout(readFormat(format), readTimezone(query));
  },
};

/** A parser of lines in a layout. @param toInstant converts times without a zone */
export function openLayout(layout: Layout, toInstant: ToInstant): { parse(line: string): Parsed } {
  const walk = createWalk(layout);
  const texts: string[] = layout.variables.map(() => '');
  const places = placesOf(layout);
  /** The first text of a part that is not empty. */
  const text = (part: Part): string => {
    const its = places[part];
    if (its === undefined) return '';
    for (const place of its) {
      const value = texts[place]!;
      if (value !== '' && value !== '-') return value;
    }
    return '';
  };
  const free = (part: Part): string => unescapeLogText(text(part));

  function readRequest(): RequestLine {
    if (places.request !== undefined) return splitRequestLine(free('request'));
    const method = normaliseMethod(text('method'));
    if (method === '') return { method: '', target: '', protocol: '', host: '' };
    const whole = free('target') || free('host_and_target');
    const { target, host } = splitHostFromTarget(whole === '' ? withQuery(free('path')) : whole);
    const slash = target.indexOf('/');
    if (slash <= 0 || places.host_and_target === undefined) return { method, target, protocol: '', host };
    return { method, target: target.slice(slash), protocol: '', host: normaliseHost(target.slice(0, slash)) };
  }

  function withQuery(path: string): string {
    const query = free('query') || free('args');
    if (query === '' || path.includes('?')) return path;
    return query.startsWith('?') ? path + query : `${path}?${query}`;
  }

  function findClient(): string {
    const address = text('address');
    const client = text('client');
    const forwardedFor = text('forwarded_for');
    if (client === '' && forwardedFor === '') return normaliseIp(address);
    const connected = [normaliseIp(client), normaliseIp(address)].filter((one) => one !== '');
    return chooseClient(connected, readAddresses(forwardedFor));
  }

  function readDuration(): number | null {
    const micros = text('microseconds');
    if (micros !== '') return readMilliseconds(micros, 0.001);
    const millis = text('milliseconds');
    if (millis !== '') return readMilliseconds(millis);
    return readMilliseconds(text('seconds'), 1_000);
  }

  function parse(line: string): Parsed {
    const wrong = walk(line, texts);
    if (wrong !== null) return wrong;
    const time = text('time');
    const timestamp = wholeMilliseconds(readTime(time, toInstant));
    if (!Number.isSafeInteger(timestamp))
      return notATime(time, 'DD/Mon/YYYY:HH:MM:SS ±HHMM, ISO 8601 or the epoch');
    const client = findClient();
    if (client === '') {
      const written = text('address');
      if (written === '') return { reject: 'client_ip: missing' };
      return {
        reject: `client_ip: ${quote(written)} is no address; log addresses, not host names (Apache: %a)`,
      };
    }
    const request = readRequest();
    return {
      timestamp,
      client_ip: client,
      method: request.method,
      host: normaliseHost(text('host')) || request.host || readServerName(text('server_name')),
      target: request.target,
      protocol: request.protocol || normaliseProtocol(text('protocol')),
      status: readNumber(text('status')),
      bytes_sent: readBytes(text('bytes') || text('body_bytes')),
      time_taken_ms: readDuration(),
      user_agent: free('user_agent'),
      referrer: free('referrer'),
      request_id: text('request_id'),
      content_type: readMediaType(text('content_type')),
      cache_status: readText(text('cache_status')).toLowerCase(),
      source_country: readCountry(text('country')),
      source_asn: null,
      cdn_bot_category: '',
    } satisfies RawRequest;
  }

  return { parse };
}

/** nginx's `_` is a server that takes every name. */
function readServerName(name: string): string {
  return name === '_' ? '' : normaliseHost(name);
}

/** Positions of the variables of each part. Keys are parts, never text of a sender. */
function placesOf({ variables }: Layout): Partial<Record<Part, readonly number[]>> {
  const places: Partial<Record<Part, number[]>> = {};
  for (const [place, { part }] of variables.entries()) {
    if (part === 'skipped') continue;
    places[part] = [...(places[part] ?? []), place];
  }
  return places;
}

/** nginx's and Apache's times; a time without a zone uses the sender's `?timezone=`. */
function readTime(text: string, toInstant: ToInstant): number {
  if (text.charCodeAt(2) === 47 /* / */) {
    return text.charCodeAt(20) === 32 ? parseCommonLogTime(text, 0) : toInstant(parseClockTime(text, 0));
  }
  if (text.charCodeAt(4) !== 45 /* - */) return parseTimestamp(text);
  // strftime's %z usually follows a space.
  const spaced = text.charCodeAt(19) === 32 ? text.slice(0, 19) + text.slice(20) : text;
  const at = parseTimestamp(spaced);
  return namesZone(spaced) ? at : toInstant(at);
}

/** Whether a sign or a Z follows an ISO date. */
function namesZone(text: string): boolean {
  for (let at = text.length - 1; at > 10; at--) {
    const code = text.charCodeAt(at);
    if (code === 43 || code === 45 || (code | 32) === 122) return true;
  }
  return false;
}
