import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses } from './choose-client.js';
import { ipBeforePort } from './client-ip.js';
import { readBytes, readMilliseconds, readNumber, readText } from './coerce.js';
import { notATime } from './not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './parse-timestamp.js';
import { splitRequestLine } from './request-line.js';
import type { LineSource, Parsed, Rejection, Skip } from './source.js';
import { splitWords } from './split-words.js';
import { normaliseHost } from './target.js';

/**
 * Envoy's default text format, and Istio's, which puts three columns before the byte counts and more behind the upstream's
 * address: docs/sources/envoy-text.md.
 */
export const envoyText: LineSource = {
  name: 'envoy-text',
  shape: 'lines',
  detect: (line) => /^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] "/.test(line.slice(0, 40)),
  open: () => ({ parse: parseLine }),
};

const notEnvoy: Rejection = { reject: 'not in Envoy’s default text format' };
const noRequest: Skip = { skip: 'a connection without a request' };

const MOST_COLUMNS = 24;
/** Columns of the default format; Istio's has {@link ISTIO_MORE} more before the byte counts. */
const [TIME, REQUEST, STATUS, COLUMNS] = [0, 1, 2, 12];
const [SENT, DURATION, FORWARDED, AGENT, ID, HOST] = [5, 6, 8, 9, 10, 11];
const ISTIO_MORE = 3;
const ISTIO_COLUMNS = 21;
const DOWNSTREAM = 19;

function parseLine(line: string): Parsed {
  const columns = splitWords(line, 0, MOST_COLUMNS);
  if (columns === null || columns.length < COLUMNS) return notEnvoy;
  const isIstio = columns.length >= ISTIO_COLUMNS;
  const column = (place: number) => readText(columns[isIstio ? place + ISTIO_MORE : place]);
  const written = columns[REQUEST]!;
  if (written === '- - -' && columns[STATUS] === '0') return noRequest;
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
