import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { head } from '../../../shared/text-head.js';
import { normaliseIp } from '../sources/util/client-ip.js';
import { quote } from '../sources/util/cut-text.js';
import { LONGEST_FREE_TEXT, MOST_BYTES_SENT, MOST_TIME_TAKEN_MS } from '../sources/util/request-limits.js';
import type { Rejection } from '../sources/util/source.js';
import { withEscapedBytes } from '../text/decode-bytes.js';
import type { AcceptedTimes } from './accepted-times.js';

/**
 * Rules for the requests of every source (docs/limits.md). Text longer than its limit is cut, not rejected: scanners
 * send very long targets, and their requests count.
 */

/** Longest name or identifier, in characters. */
const LONGEST_NAME = 255;

/** @returns the request with a normalised address and texts within their limits, or a rejection */
export function validateRequest(request: RawRequest, times: AcceptedTimes): RawRequest | Rejection {
  if (!Number.isSafeInteger(request.timestamp)) return { reject: 'timestamp: missing or not a time' };
  if (request.timestamp < times.earliest) return { reject: times.tooEarly };
  if (request.timestamp > times.latest) return { reject: times.tooLate };
  const clientIp = normaliseIp(request.client_ip);
  if (clientIp === '') {
    const what = request.client_ip === '' ? 'missing' : `not an IP address: ${quote(request.client_ip)}`;
    return { reject: `client_ip: ${what}` };
  }
  if (!isTarget(request)) return { reject: 'path: must start with / or be an absolute URL' };
  const status = request.status;
  if (!(Number.isInteger(status) && status >= 0 && status <= 999)) {
    return { reject: 'status: missing or not an integer from 0 to 999' };
  }
  if (!(Number.isInteger(request.bytes_sent) && request.bytes_sent >= 0)) {
    return { reject: 'bytes_sent: not a whole number from 0' };
  }
  if (request.bytes_sent > MOST_BYTES_SENT) return { reject: 'bytes_sent: more than 2^50 (1 PiB)' };
  const target = withEscapedBytes(request.target);
  if (clientIp === request.client_ip && target === request.target && isWithinLimits(request)) return request;
  return { ...cut({ ...request, target }), client_ip: clientIp };
}

/**
 * If a line has a protocol, the server has read the target, so any target counts. Otherwise the text may not be a
 * target.
 */
function isTarget({ target, method, protocol }: RawRequest): boolean {
  const start = target.charCodeAt(0);
  return start === 47 /* / */ || target === '' || target === '*' || method === 'CONNECT' || protocol !== '';
}

function isWithinLimits(request: RawRequest): boolean {
  return (
    request.target.length <= LONGEST_FREE_TEXT &&
    request.user_agent.length <= LONGEST_FREE_TEXT &&
    request.referrer.length <= LONGEST_FREE_TEXT &&
    request.host.length <= LONGEST_NAME &&
    request.protocol.length <= LONGEST_NAME &&
    request.request_id.length <= LONGEST_NAME &&
    request.content_type.length <= LONGEST_NAME &&
    request.cache_status.length <= LONGEST_NAME &&
    request.cdn_bot_category.length <= LONGEST_NAME &&
    (request.time_taken_ms === null || request.time_taken_ms <= MOST_TIME_TAKEN_MS)
  );
}

function cut(request: RawRequest): RawRequest {
  const time = request.time_taken_ms;
  return {
    ...request,
    target: head(request.target, LONGEST_FREE_TEXT),
    user_agent: head(request.user_agent, LONGEST_FREE_TEXT),
    referrer: head(request.referrer, LONGEST_FREE_TEXT),
    host: head(request.host, LONGEST_NAME),
    protocol: head(request.protocol, LONGEST_NAME),
    request_id: head(request.request_id, LONGEST_NAME),
    content_type: head(request.content_type, LONGEST_NAME),
    cache_status: head(request.cache_status, LONGEST_NAME),
    cdn_bot_category: head(request.cdn_bot_category, LONGEST_NAME),
    time_taken_ms: time !== null && time > MOST_TIME_TAKEN_MS ? null : time,
  };
}
