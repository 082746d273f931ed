import { readMilliseconds, readText, readWord } from '../util/coerce.js';
import { words } from '../util/cut-text.js';
import { withSpaces } from '../util/with-spaces.js';
import { type AzureLog, toRequest, withQuery } from './azure-log.js';

/** App Service and Functions: the columns of IIS. `CIp` is the connection's address at the front end. */
export const appService: AzureLog = {
  title: 'App Service',
  categories: words('appservicehttplogs'),
  names: words(`
    cip csmethod cshost csuristem csuriquery protocol scstatus scbytes timetaken useragent referer eventtime`),
  read(fields) {
    const written = {
      client: readText(fields.get('cip')),
      method: fields.get('csmethod'),
      host: readWord(fields.get('cshost')),
      target: withQuery(
        readText(fields.get('csuristem')),
        withoutArrLogId(readText(fields.get('csuriquery'))),
      ),
      targetName: 'CsUriStem',
      protocol: fields.get('protocol'),
      status: fields.get('scstatus'),
      bytes: fields.get('scbytes'),
      timeTakenMs: readMilliseconds(fields.get('timetaken')),
      userAgent: withSpaces(readText(fields.get('useragent'))),
      referrer: readText(fields.get('referer')),
    };
    return toRequest(fields, written, ['time', 'eventtime', 'timegenerated']);
  },
};

/** The front end adds its own id to the query, a new one for each request. */
function withoutArrLogId(query: string): string {
  return query.replace(/(?:^|&)X-ARR-LOG-ID=[\dA-Fa-f-]{1,64}$/, '');
}
