import { readMilliseconds, readText, readWord } from '../util/coerce.js';
import { words } from '../util/cut-text.js';
import { type AzureLog, type Fields, toRequest, withQuery } from './azure-log.js';

/** Application Gateway, v2 and v1. `clientIP` is the connection's; X-Forwarded-For is not logged. */
export const applicationGateway: AzureLog = {
  title: 'Application Gateway',
  categories: words('applicationgatewayaccesslog agwaccesslogs'),
  names: words(`
    clientip httpmethod requesturi requestquery originalrequesturiwithargs useragent httpstatus httpversion
    sentbytes timetaken host originalhost transactionid instanceid`),
  read(fields) {
    const written = {
      client: readText(fields.get('clientip')),
      method: fields.get('httpmethod'),
      host: readWord(fields.get('originalhost')) || readWord(fields.get('host')),
      target: readTarget(fields),
      targetName: 'requestUri',
      protocol: fields.get('httpversion'),
      status: fields.get('httpstatus'),
      bytes: fields.get('sentbytes'),
      timeTakenMs: readMilliseconds(fields.get('timetaken'), isVersion1(fields) ? 1 : 1_000),
      userAgent: readText(fields.get('useragent')),
      requestId: readText(fields.get('transactionid')),
    };
    return toRequest(fields, written, ['timestamp', 'time', 'timegenerated']);
  },
};

/** Version 1 counts milliseconds, version 2 seconds. */
function isVersion1(fields: Fields): boolean {
  return readText(fields.get('instanceid')).startsWith('ApplicationGatewayRole');
}

/** `requestUri` is the path after a rewrite rule. Version 1 writes a note instead of the query. */
function readTarget(fields: Fields): string {
  const original = readText(fields.get('originalrequesturiwithargs'));
  if (original !== '') return original;
  const query = readText(fields.get('requestquery'));
  return withQuery(
    readText(fields.get('requesturi')),
    query.startsWith('X-AzureApplicationGateway-') ? '' : query,
  );
}
