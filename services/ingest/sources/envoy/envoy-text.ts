import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses } from '../util/choose-client.js';
import { ipBeforePort } from '../util/client-ip.js';
import { readBytes, readMilliseconds, readNumber, readText } from '../util/coerce.js';
import { notATime } from '../util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from '../util/parse-timestamp.js';
import { splitRequestLine } from '../util/request-line.js';
import type { LineSource, Parsed, Rejection, Skip } from '../util/source.js';
import { normaliseHost } from '../util/target.js';

/**
 * Envoy's default text format, and Istio's, which has three columns before the byte counts and more after the
 * upstream's address: docs/sources/envoy-text.md.
 */
export const envoyText: LineSource = {
  name: 'envoy-text',
  shape: 'lines',
  detect: (line) => /^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] "/.test(line.slice(0, 40)),
  open: () => ({ parse: parseLine }),
};

const notEnvoy: Rejection = { reject: 'not in Envoy’s default text format' };
const ambiguous: Rejection = {
  reject:
    'not the columns of Envoy’s default text format or Istio’s: a header holds quotes; log in JSON (docs/sources/envoy.md)',
};
const noRequest: Skip = { skip: 'a connection without a request' };

/** Columns of the default format; Istio's has {@link ISTIO_MORE} more before the byte counts. */
const [TIME, REQUEST, STATUS, COLUMNS] = [0, 1, 2, 13];
const [RECEIVED, SENT, DURATION, FORWARDED, AGENT, ID, HOST] = [4, 5, 6, 8, 9, 10, 11];
const ISTIO_MORE = 3;
const ISTIO_COLUMNS = 22;
const DOWNSTREAM = 19;

const QUOTE = 34;

/**
 * Splits the columns, at most one more than the format has. Their quotes are not escaped, so a quoted column ends at
 * the first quote before a space or the line's end. A quote in a header can therefore add columns to a line, but
 * never remove any. Null if a column has no end.
 */
function splitColumns(line: string): string[] | null {
  const bracket = line.indexOf(']');
  const columns = [line.slice(1, bracket)];
  for (let at = bracket + 2; at < line.length && columns.length <= ISTIO_COLUMNS; ) {
    const isQuoted = line.charCodeAt(at) === QUOTE;
    const from = isQuoted ? at + 1 : at;
    let end = line.indexOf(isQuoted ? '" ' : ' ', from);
    if (end === -1) {
      end = isQuoted ? line.length - 1 : line.length;
      if (isQuoted && (end < from || line.charCodeAt(end) !== QUOTE)) return null;
    }
    columns.push(line.slice(from, end));
    at = end + (isQuoted ? 2 : 1);
  }
  return columns;
}

function parseLine(line: string): Parsed {
  const columns = splitColumns(line);
  if (columns === null || columns.length < COLUMNS) return notEnvoy;
  // Istio's format has words in place of the default format's bytes.
  const isIstio = !/^\d+$/.test(columns[RECEIVED]!);
  const column = (place: number) => readText(columns[isIstio ? place + ISTIO_MORE : place]);
  const written = columns[REQUEST]!;
  if (written === '- - -' && columns[STATUS] === '0') return noRequest;
  // Envoy does not escape quotes in headers. With quotes in X-Forwarded-For a client could choose its address.
  if (columns.length !== (isIstio ? ISTIO_COLUMNS : COLUMNS)) return ambiguous;
  const timestamp = wholeMilliseconds(parseTimestamp(columns[TIME]));
  if (!Number.isSafeInteger(timestamp)) return notATime(columns[TIME]);
  const downstream = isIstio ? ipBeforePort(columns[DOWNSTREAM]!) : '';
  const client = chooseClient(downstream === '' ? [] : [downstream], readAddresses(column(FORWARDED)));
  if (client === '') {
    return { reject: 'client_ip: no address in X-Forwarded-For; set use_remote_address, or log the address' };
  }
  const request = splitRequestLine(written);
  return {
    timestamp,
    client_ip: client,
    method: request.method,
    host: normaliseHost(column(HOST)) || request.host,
    target: request.target,
    protocol: request.protocol,
    status: readNumber(columns[STATUS]),
    bytes_sent: readBytes(column(SENT)),
    time_taken_ms: readMilliseconds(column(DURATION)),
    user_agent: column(AGENT),
    referrer: '',
    request_id: column(ID),
    content_type: '',
    cache_status: '',
    source_country: '',
    source_asn: null,
    cdn_bot_category: '',
  } satisfies RawRequest;
}
