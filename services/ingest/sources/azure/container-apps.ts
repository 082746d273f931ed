import { chooseClient, readAddresses } from '../util/choose-client.js';
import { readMilliseconds, readText, readWord } from '../util/coerce.js';
import { words } from '../util/cut-text.js';
import { type AzureLog, toRequest } from './azure-log.js';

/** The ingress of Container Apps. The last address of `XForwardedFor` is the one that the ingress saw. */
export const containerApps: AzureLog = {
  title: 'Container Apps',
  categories: words('containerapphttplogs'),
  names: words(`
    method path authority protocol useragent xforwardedfor statuscode bytessent starttime requestduration
    requestid`),
  read(fields) {
    const written = {
      client: chooseClient([], readAddresses(readText(fields.get('xforwardedfor')))),
      method: fields.get('method'),
      host: readWord(fields.get('authority')),
      target: readText(fields.get('path')),
      targetName: 'Path',
      protocol: fields.get('protocol'),
      status: fields.get('statuscode'),
      bytes: fields.get('bytessent'),
      timeTakenMs: readMilliseconds(fields.get('requestduration')),
      userAgent: readText(fields.get('useragent')),
      requestId: readText(fields.get('requestid')),
    };
    return toRequest(fields, written, ['starttime', 'time', 'timegenerated']);
  },
};
