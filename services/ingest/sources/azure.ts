import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses, readConnection } from './choose-client.js';
import { readBytes, readMilliseconds, readNumber, readText, readWord } from './coerce.js';
import { readCountryName } from './country-name.js';
import { words } from './cut-text.js';
import { notATime } from './not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './parse-timestamp.js';
import { readRecord } from './read-record.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from './source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from './target.js';

const otherLog: Skip = { skip: 'not an entry of an access log' };
const shieldHop: Skip = { skip: 'request between servers of Azure' };

/**
 * Resource logs of Azure Front Door (Standard, Premium, classic) and Azure CDN, as diagnostic settings write them. Fields
 * in docs/sources/azure.md.
 */
export const azure: JsonSource = {
  name: 'azure',
  shape: 'json',

  detect: (record) =>
    (record.category !== undefined && record.properties !== undefined) ||
    (record.resourceId !== undefined && record.operationName !== undefined) ||
    record.trackingReference_s !== undefined ||
    record.TrackingReference !== undefined,

  open: () => {
    const nameOf = createNames();
    return { parse: (record) => parse(readFields(record, nameOf)) };
  },
};

/** Names that are read. */
const names: ReadonlySet<string> = new Set(
  words(`
    category isreceivedfromclient requesturi time timegenerated httpmethod hostname endpoint httpversion
    httpstatuscode responsebytes timetaken useragent referer referrer trackingreference cachestatus clientcountry
    clientip clientipaddress socketip`),
);

type Fields = ReadonlyMap<string, unknown>;

function parse(fields: Fields): RawRequest | Rejection | Skip {
  if (!isAccessLog(fields)) return otherLog;
  if (isFalse(fields.get('isreceivedfromclient'))) return shieldHop;
  const written = readText(fields.get('requesturi'));
  if (written === '') return { reject: 'requestUri: missing' };
  const { target, host } = splitHostFromTarget(written);
  const time = fields.get('time') ?? fields.get('timegenerated');
  const timestamp = wholeMilliseconds(parseTimestamp(time));
  if (!Number.isSafeInteger(timestamp)) return notATime(time);
  return {
    timestamp,
    client_ip: readClient(fields),
    method: normaliseMethod(readText(fields.get('httpmethod'))),
    host: host || normaliseHost(readWord(fields.get('hostname')) || readWord(fields.get('endpoint'))),
    target,
    protocol: readProtocol(fields.get('httpversion')),
    status: readNumber(fields.get('httpstatuscode')),
    bytes_sent: readBytes(fields.get('responsebytes')),
    time_taken_ms: readMilliseconds(fields.get('timetaken'), 1_000),
    user_agent: readText(fields.get('useragent')),
    referrer: readText(fields.get('referer')) || readText(fields.get('referrer')),
    request_id: readText(fields.get('trackingreference')),
    content_type: '',
    cache_status: readWord(fields.get('cachestatus')).toLowerCase(),
    source_country: readCountryName(fields.get('clientcountry')),
    source_asn: null,
    cdn_bot_category: '',
  };
}

/** Names of an upload that are kept, and the longest of these: its records have the same ones. */
const MOST_NAMES = 256;
const LONGEST_KEPT = 64;

/** Names differ in case between Azure's services, and Log Analytics adds a type (`httpMethod_s`). Null for a name that is not read. */
function createNames(): (key: string) => string | null {
  const kept = new Map<string, string | null>();
  return (key) => {
    let name = kept.get(key);
    if (name !== undefined) return name;
    const plain = key.toLowerCase().replace(/_[sdgbt]$/, '');
    name = names.has(plain) ? plain : null;
    if (kept.size < MOST_NAMES && key.length <= LONGEST_KEPT) kept.set(key, name);
    return name;
  };
}

/** Log Analytics puts the properties beside the rest. `N/A`, in any field, is one that is not there. */
function readFields(record: JsonRecord, nameOf: (key: string) => string | null): Fields {
  const fields = new Map<string, unknown>();
  for (const part of [record, readRecord(record.properties)]) {
    for (const key of Object.keys(part)) {
      const name = nameOf(key);
      if (name !== null && part[key] !== 'N/A') fields.set(name, part[key]);
    }
  }
  return fields;
}

/** By its category, which `FrontDoorAccessLog`, `FrontdoorAccessLog` and `AzureCdnAccessLog` are; others tell of probes and rules. */
function isAccessLog(fields: Fields): boolean {
  const category = readText(fields.get('category')).toLowerCase();
  return category === '' || category === 'frontdooraccesslog' || category === 'azurecdnaccesslog';
}

function isFalse(value: unknown): boolean {
  return value === false || (typeof value === 'string' && value.toLowerCase() === 'false');
}

/** `clientIp` is taken from X-Forwarded-For, which anyone can send: it counts only where the connection's address is local. */
function readClient(fields: Fields): string {
  const client = readText(fields.get('clientip')) || readText(fields.get('clientipaddress'));
  return chooseClient(readConnection(readText(fields.get('socketip'))), readAddresses(client)) || client;
}

/** "2.0.0.0", "2.0" or "HTTP/2". */
function readProtocol(value: unknown): string {
  const version = readWord(value);
  if (!/^\d/.test(version)) return normaliseProtocol(version);
  return normaliseProtocol(`HTTP/${version.split('.', 2).join('.')}`);
}
