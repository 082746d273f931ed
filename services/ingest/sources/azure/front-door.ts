import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses, readConnection } from '../util/choose-client.js';
import { readMilliseconds, readText, readWord } from '../util/coerce.js';
import { readCountryName } from '../util/country-name.js';
import { words } from '../util/cut-text.js';
import type { Rejection, Skip } from '../util/source.js';
import { type AzureLog, type Fields, toRequest } from './azure-log.js';

const shieldHop: Skip = { skip: 'request between servers of Azure' };

/** Front Door (Standard, Premium, classic) and Azure CDN. */
export const frontDoor: AzureLog = {
  title: 'Front Door and CDN',
  categories: words('frontdooraccesslog azurecdnaccesslog'),
  names: words(`
    isreceivedfromclient requesturi httpmethod hostname endpoint httpversion httpstatuscode responsebytes
    timetaken useragent referer referrer trackingreference cachestatus clientcountry clientip clientipaddress
    socketip`),
  read,
};

function read(fields: Fields): RawRequest | Rejection | Skip {
  if (isFalse(fields.get('isreceivedfromclient'))) return shieldHop;
  const written = {
    client: readClient(fields),
    method: fields.get('httpmethod'),
    host: readWord(fields.get('hostname')) || readWord(fields.get('endpoint')),
    target: readText(fields.get('requesturi')),
    targetName: 'requestUri',
    protocol: fields.get('httpversion'),
    status: fields.get('httpstatuscode'),
    bytes: fields.get('responsebytes'),
    timeTakenMs: readMilliseconds(fields.get('timetaken'), 1_000),
    userAgent: readText(fields.get('useragent')),
    referrer: readText(fields.get('referer')) || readText(fields.get('referrer')),
    requestId: readText(fields.get('trackingreference')),
    cacheStatus: readWord(fields.get('cachestatus')).toLowerCase(),
    country: readCountryName(fields.get('clientcountry')),
  };
  return toRequest(fields, written, ['time', 'timegenerated']);
}

function isFalse(value: unknown): boolean {
  return value === false || (typeof value === 'string' && value.toLowerCase() === 'false');
}

/**
 * `clientIp` comes from X-Forwarded-For, which anyone can send. It counts only if the connection's address is local.
 */
function readClient(fields: Fields): string {
  const client = readText(fields.get('clientip')) || readText(fields.get('clientipaddress'));
  return chooseClient(readConnection(readText(fields.get('socketip'))), readAddresses(client)) || client;
}
