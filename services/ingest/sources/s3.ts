import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { normaliseIp } from './util/client-ip.js';
import { readBytes, readMilliseconds, readNumber, readText } from './util/coerce.js';
import { quote } from './util/cut-text.js';
import { notATime } from './util/not-a-time.js';
import { parseCommonLogTime } from './util/parse-timestamp.js';
import { splitRequestLine } from './util/request-line.js';
import type { LineSource, Parsed, Rejection, Skip } from './util/source.js';
import { splitWords } from './util/split-words.js';
import { normaliseHost } from './util/target.js';
import { unescapeLogText } from './util/unescape-log-text.js';

/** Server access logs of Amazon S3, one line a request: docs/sources/s3.md. */
export const s3: LineSource = {
  name: 's3',
  shape: 'lines',
  // The bucket's owner is a canonical user id.
  detect: (line) => /^[0-9a-f]{64} [a-z0-9.-]{3,63} \[\d\d\//.test(line.slice(0, 140)),
  open: () => ({ parse: parseLine }),
};

const notS3: Rejection = { reject: 'not a line of an S3 server access log' };
const ownWork: Skip = { skip: 'work of S3 itself' };
const signed: Skip = { skip: 'signed by a program with the owner’s keys' };

const [TIME, ADDRESS, REQUEST_ID, OPERATION, REQUEST, STATUS] = [2, 3, 5, 6, 8, 9];
const [SENT, TOTAL_TIME, REFERRER, AGENT, AUTHENTICATION, HOST] = [11, 13, 15, 16, 21, 22];
const MOST_COLUMNS = 26;

/**
 * No column after the user agent is quoted, so the user agent ends at the line's last quote, even if the client sent
 * quotes in it. Otherwise a client could choose the columns after it: the signature's owner and the host.
 */
function splitLine(line: string): string[] | null {
  const end = line.lastIndexOf('"') + 1;
  const head = splitWords(line.slice(0, end), 0, MOST_COLUMNS);
  if (head === null || head.length <= AGENT) return splitWords(line, 0, MOST_COLUMNS);
  const tail = splitWords(line, end, MOST_COLUMNS) ?? [];
  return [...head.slice(0, AGENT + 1), ...tail];
}

function parseLine(line: string): Parsed {
  const columns = splitLine(line);
  if (columns === null || columns.length <= SENT) return notS3;
  const operation = columns[OPERATION]!;
  if (!/^(?:REST|WEBSITE|SOAP)\./.test(operation) || readText(columns[REQUEST]) === '') return ownWork;
  if (columns[AUTHENTICATION] === 'AuthHeader') return signed;
  const time = columns[TIME]!;
  const timestamp = parseCommonLogTime(time, 0);
  if (Number.isNaN(timestamp)) return notATime(time, 'DD/Mon/YYYY:HH:MM:SS ±HHMM');
  const client = normaliseIp(columns[ADDRESS]!);
  if (client === '') return { reject: `client_ip: not an IP address: ${quote(columns[ADDRESS]!)}` };
  const request = splitRequestLine(unescapeLogText(columns[REQUEST]!));
  return {
    timestamp,
    client_ip: client,
    method: request.method,
    host: normaliseHost(readText(columns[HOST])) || request.host,
    target: request.target,
    protocol: request.protocol,
    status: readNumber(columns[STATUS]),
    bytes_sent: readBytes(columns[SENT]),
    time_taken_ms: readMilliseconds(columns[TOTAL_TIME]),
    user_agent: unescapeLogText(readText(columns[AGENT])),
    referrer: unescapeLogText(readText(columns[REFERRER])),
    request_id: readText(columns[REQUEST_ID]),
    content_type: '',
    cache_status: '',
    source_country: '',
    source_asn: null,
    cdn_bot_category: '',
  } satisfies RawRequest;
}
