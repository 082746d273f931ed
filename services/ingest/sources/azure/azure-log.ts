import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { readBytes, readNumber, readText, readWord } from '../util/coerce.js';
import { notATime } from '../util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from '../util/parse-timestamp.js';
import type { Rejection, Skip } from '../util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from '../util/target.js';

/** Fields of a record by their names in lower case. */
export type Fields = ReadonlyMap<string, unknown>;

/** An access log of one of Azure's services. Adding one is a file in this folder and its name in azure.ts. */
export interface AzureLog {
  /** The usual name of the service. */
  readonly title: string;
  /** Its categories, and its table in Log Analytics, in lower case. */
  readonly categories: readonly string[];
  /** Names of the fields that `read` uses, in lower case. */
  readonly names: readonly string[];
  read(fields: Fields): RawRequest | Rejection | Skip;
}

/** Fields that the services write under different names. */
export interface Written {
  readonly client: string;
  readonly method: unknown;
  readonly host: string;
  /** Path with query, or an absolute URL; `''` is rejected, with the name of the field. */
  readonly target: string;
  readonly targetName: string;
  readonly protocol: unknown;
  readonly status: unknown;
  readonly bytes: unknown;
  readonly timeTakenMs: number | null;
  readonly referrer?: string;
  readonly requestId?: string;
  readonly cacheStatus?: string;
  readonly country?: string;
  readonly userAgent: string;
}

/** @param times names of the time, the most specific first */
export function toRequest(
  fields: Fields,
  written: Written,
  times: readonly string[],
): RawRequest | Rejection {
  if (written.target === '') return { reject: `${written.targetName}: missing` };
  const { target, host } = splitHostFromTarget(written.target);
  const time = times.map((name) => fields.get(name)).find((value) => value !== undefined && value !== null);
  const timestamp = wholeMilliseconds(parseTimestamp(time));
  if (!Number.isSafeInteger(timestamp)) return notATime(time);
  return {
    timestamp,
    client_ip: written.client,
    method: normaliseMethod(readText(written.method)),
    host: host || normaliseHost(written.host),
    target,
    protocol: readProtocol(written.protocol),
    status: readNumber(written.status),
    bytes_sent: readBytes(written.bytes),
    time_taken_ms: written.timeTakenMs,
    user_agent: written.userAgent,
    referrer: written.referrer ?? '',
    request_id: written.requestId ?? '',
    content_type: '',
    cache_status: written.cacheStatus ?? '',
    source_country: written.country ?? '',
    source_asn: null,
    cdn_bot_category: '',
  };
}

/** A path and its query from another field. */
export function withQuery(path: string, query: string): string {
  const bare = query.startsWith('?') ? query.slice(1) : query;
  return path === '' || bare === '' || path.includes('?') ? path : `${path}?${bare}`;
}

/** "2.0.0.0", "2.0" or "HTTP/2". */
function readProtocol(value: unknown): string {
  const version = readWord(value);
  if (!/^\d/.test(version)) return normaliseProtocol(version);
  return normaliseProtocol(`HTTP/${version.split('.', 2).join('.')}`);
}
