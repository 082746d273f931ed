import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses, readConnection } from '../util/choose-client.js';
import {
  readAsn,
  readBytes,
  readCountry,
  readMediaType,
  readMilliseconds,
  readNumber,
} from '../util/coerce.js';
import { notATime } from '../util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from '../util/parse-timestamp.js';
import { undoPlainPercents } from '../util/plain-escapes.js';
import type { Rejection } from '../util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from '../util/target.js';
import { unescapeLogText } from '../util/unescape-log-text.js';
import { withSpaces } from '../util/with-spaces.js';
import type { Columns } from './w3c-columns.js';

/** One row of a W3C-extended log, or of CloudFront's logs in any form. */

/** @param day `YYYY-MM-DD` of the header, if lines have only the time of day; '' if it has none */
export function readRow(values: readonly string[], columns: Columns, day: string): RawRequest | Rejection {
  const timestamp = wholeMilliseconds(timeOf(values, columns, day));
  if (!Number.isSafeInteger(timestamp)) {
    return notATime(
      [at(values, columns.date), at(values, columns.time), at(values, columns.epoch)].join(' ').trim(),
    );
  }
  const { target, host } = targetOf(values, columns);
  return {
    timestamp,
    client_ip: clientOf(values, columns),
    method: normaliseMethod(at(values, columns.method)),
    host: normaliseHost(at(values, columns.host)) || host,
    target,
    protocol: normaliseProtocol(at(values, columns.protocol)),
    status: readNumber(at(values, columns.status)),
    bytes_sent: readBytes(at(values, columns.bytes)),
    time_taken_ms: timeTaken(at(values, columns.timeTaken), columns.kind),
    user_agent: userAgentOf(at(values, columns.userAgent), columns.kind),
    referrer:
      columns.kind === 'cloudfront' ? decodeOnce(at(values, columns.referrer)) : at(values, columns.referrer),
    request_id: at(values, columns.requestId),
    content_type: readMediaType(decodeOnce(at(values, columns.contentType))),
    cache_status: at(values, columns.cacheStatus).toLowerCase(),
    source_country: readCountry(at(values, columns.country)),
    source_asn: readAsn(at(values, columns.asn)),
    cdn_bot_category: '',
  };
}

/** '' for a missing column, and for `-`. */
function at(values: readonly string[], place: number): string {
  const value = place === -1 ? '' : (values[place] ?? '');
  return value === '-' ? '' : value;
}

/** The epoch if there is one, because it is finer; else date and time, which are UTC by definition. */
function timeOf(values: readonly string[], columns: Columns, day: string): number {
  const epoch = at(values, columns.epoch);
  if (epoch !== '') return parseTimestamp(epoch);
  const time = at(values, columns.time);
  const date = at(values, columns.date) || day;
  return time === '' ? Number.NaN : parseTimestamp(`${date}T${time}`);
}

function clientOf(values: readonly string[], { clientIp, forwardedFor }: Columns): string {
  const client = at(values, clientIp);
  const forwarded = at(values, forwardedFor);
  if (forwarded === '') return client;
  const connected = readConnection(client);
  // Servers write the spaces of the list as `+`, `%20` or `\x20`.
  const list = unescapeLogText(forwarded).replaceAll('%20', ' ').replaceAll('+', ' ');
  return chooseClient(connected, readAddresses(list)) || client;
}

function targetOf(values: readonly string[], columns: Columns): { target: string; host: string } {
  const stem = at(values, columns.stem);
  const query = at(values, columns.query);
  const written = stem === '' ? at(values, columns.uri) : stem;
  const path = columns.kind === 'cloudfront' ? undoSecondEncoding(written) : written;
  const { target, host } = splitHostFromTarget(withHost(path, stem === ''));
  if (query === '' || target.includes('?')) return { target, host };
  const text = columns.kind === 'cloudfront' ? undoSecondEncoding(query) : query;
  return { target: `${target}?${text.startsWith('?') ? text.slice(1) : text}`, host };
}

/** Imperva writes the host and the path as one, without a scheme. */
function withHost(path: string, isUri: boolean): string {
  const start = path.charCodeAt(0);
  return isUri && path !== '' && start !== 47 /* / */ && start !== 42 /* * */ && !path.includes('://')
    ? `http://${path}`
    : path;
}

/** CloudFront encodes the percent signs of received text; nothing else must be decoded. */
function undoSecondEncoding(text: string): string {
  return text.replaceAll('%25', '%');
}

/** CloudFront encodes header values once, and did so twice in older files. IIS writes spaces as `+`. */
function userAgentOf(text: string, kind: Columns['kind']): string {
  if (kind === 'cloudfront') return decodeOnce(decodeOnce(text));
  return withSpaces(text);
}

/** Decodes percent-encoding; text without it, or with a broken one, remains. */
function decodeOnce(text: string): string {
  if (!text.includes('%')) return text;
  const plain = undoPlainPercents(text, false);
  if (plain !== null) return plain;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * IIS counts milliseconds, CloudFront seconds. From other writers a whole number may be either, so only a fraction
 * counts, as seconds.
 */
function timeTaken(text: string, kind: Columns['kind']): number | null {
  if (kind === 'iis') return readMilliseconds(text);
  return kind === 'cloudfront' || text.includes('.') ? readMilliseconds(text, 1_000) : null;
}
