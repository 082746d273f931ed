import type { RawRequest } from '../../../shared/requests/raw-request.js';
import {
  readBytes,
  readCountry,
  readMediaType,
  readMilliseconds,
  readNumber,
  readText,
} from './util/coerce.js';
import { notATime } from './util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from './util/source.js';
import { normaliseHost, normaliseMethod, splitHostFromTarget } from './util/target.js';

const noRequest: Skip = { skip: 'not a log of traffic' };

/** Log drains of Netlify, logs of traffic; fields in docs/sources/netlify.md. */
export const netlify: JsonSource = {
  name: 'netlify',
  shape: 'json',

  detect: (record) =>
    record.log_type !== undefined &&
    (record.site_id !== undefined || record.deploy_id !== undefined || record.account_id !== undefined),

  open: () => parser,
};

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection | Skip {
    const type = readText(record.log_type);
    if (type !== '' && type !== 'traffic' && type !== 'user_traffic') return noRequest;
    const written = readText(record.url) || readText(record.path);
    if (written === '') return { reject: 'url: missing' };
    const { target, host } = splitHostFromTarget(written);
    const timestamp = wholeMilliseconds(parseTimestamp(record.timestamp));
    if (!Number.isSafeInteger(timestamp)) return notATime(record.timestamp);
    if (readText(record.client_ip) === '') {
      return { reject: 'client_ip: missing; turn off “Exclude personally identifiable information”' };
    }
    return {
      timestamp,
      client_ip: readText(record.client_ip),
      method: normaliseMethod(readText(record.method)),
      host: host || normaliseHost(readText(record.host)),
      target,
      protocol: '',
      status: readNumber(record.status_code),
      bytes_sent: readBytes(record.response_size),
      time_taken_ms: readMilliseconds(record.duration),
      user_agent: readText(record.user_agent),
      referrer: readText(record.referrer),
      request_id: readText(record.request_id),
      content_type: readMediaType(record.content_type),
      cache_status: '',
      source_country: readCountry(record.country),
      source_asn: null,
      cdn_bot_category: '',
    };
  },
};
