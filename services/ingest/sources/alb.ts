import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { ipBeforePort } from './util/client-ip.js';
import { readBytes, readNumber, readText } from './util/coerce.js';
import { quote } from './util/cut-text.js';
import { notATime } from './util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import { splitRequestLine } from './util/request-line.js';
import type { LineSource, Parsed, Rejection, Skip } from './util/source.js';
import { splitWords } from './util/split-words.js';
import { normaliseHost } from './util/target.js';
import { unescapeLogText } from './util/unescape-log-text.js';

/** Access logs of AWS's Application Load Balancer and of the classic one, which lacks the first column: docs/sources/alb.md. */
export const alb: LineSource = {
  name: 'alb',
  shape: 'lines',
  detect: (line) => APPLICATION.test(line.slice(0, 48)) || isClassic(line),
  open: () => ({ parse: parseLine }),
};

const APPLICATION = /^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]{8,16}Z /;
const CLASSIC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z \S/;

const notAlb: Rejection = { reject: 'not a line of a load balancer’s access log' };
const moved: Rejection = {
  reject: 'a quote inside of the request or the user agent: where columns end is unknown',
};
const noRequest: Skip = { skip: 'a connection without a request' };

/** Columns after the type, by position. */
const [TIME, CLIENT, FIRST_TIMER, STATUS, SENT, REQUEST, AGENT] = [0, 2, 4, 7, 10, 11, 12];
/** Columns that only the Application Load Balancer has. */
const [TRACE, SERVER_NAME, CREATED] = [16, 17, 20];
/** Columns of the classic load balancer. */
const CLASSIC_COLUMNS = 15;
/** More columns than either has. */
const MOST_COLUMNS = 48;
const WHOLE_TIME = /^\d{4}-\d\d-\d\dT[\d:.]{8,16}Z$/;

function isClassic(line: string): boolean {
  if (!CLASSIC.test(line.slice(0, 32))) return false;
  const words = splitWords(line, 0, AGENT);
  return words !== null && words.length === AGENT && ipBeforePort(words[CLIENT]!) !== '';
}

function parseLine(line: string): Parsed {
  const isApplication = APPLICATION.test(line.slice(0, 48));
  if (!isApplication && !CLASSIC.test(line.slice(0, 32))) return notAlb;
  const columns = splitWords(line, isApplication ? line.indexOf(' ') : 0, MOST_COLUMNS);
  if (columns === null || columns.length <= REQUEST) return notAlb;
  if (areMoved(columns, isApplication)) return moved;
  const status = readText(columns[STATUS]!);
  // A TCP listener of the classic balancer.
  if (!isApplication && status === '' && columns[REQUEST]!.startsWith('- - -')) return noRequest;
  // The Application Load Balancer's first time is that of the answer; the time of the request is in a later column.
  const time = (isApplication && readText(columns[CREATED])) || columns[TIME]!;
  const timestamp = wholeMilliseconds(parseTimestamp(time));
  if (!Number.isSafeInteger(timestamp)) return notATime(time);
  const client = ipBeforePort(columns[CLIENT]!);
  if (client === '') return { reject: `client_ip: ${quote(columns[CLIENT]!)} is no address with its port` };
  const request = splitRequestLine(unescapeLogText(columns[REQUEST]!.trim()));
  return {
    timestamp,
    client_ip: client,
    method: request.method,
    host: request.host || (isApplication ? normaliseHost(readText(columns[SERVER_NAME])) : ''),
    target: request.target,
    protocol: request.protocol,
    status: status === '' ? 0 : readNumber(status),
    bytes_sent: readBytes(columns[SENT]),
    time_taken_ms: sumOfTimers(columns),
    user_agent: unescapeLogText(readText(columns[AGENT])),
    referrer: '',
    request_id: isApplication ? readText(columns[TRACE]) : '',
    content_type: '',
    cache_status: '',
    source_country: '',
    source_asn: null,
    cdn_bot_category: '',
  } satisfies RawRequest;
}

/**
 * Whether an unescaped quote of a client has moved the columns after it. The client could then choose the line's time
 * and host. In such a line the time of creation is at another position.
 */
function areMoved(columns: readonly string[], isApplication: boolean): boolean {
  if (columns.length === MOST_COLUMNS) return true;
  if (!isApplication) return columns.length > CLASSIC_COLUMNS;
  return columns.some((text, place) => place > AGENT && place !== CREATED && WHOLE_TIME.test(text));
}

/** Three times in seconds; -1 for a step that was not reached. */
function sumOfTimers(columns: readonly string[]): number | null {
  let sum = 0;
  for (let place = FIRST_TIMER; place < FIRST_TIMER + 3; place++) {
    const seconds = readNumber(columns[place]);
    if (!(seconds >= 0)) return null;
    sum += seconds;
  }
  return Math.round(sum * 1_000);
}
