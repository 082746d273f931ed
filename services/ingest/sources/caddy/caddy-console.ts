import { parseJson } from '../../text/parse-json.js';
import { isRecord } from '../util/read-record.js';
import type { LineSource, Parsed, Rejection, Skip } from '../util/source.js';
import { caddy } from './caddy.js';

/** Logs of Caddy 2 in its form for terminals (`format console`): time, level, logger and message, then the fields of the JSON form. docs/sources/caddy.md. */
export const caddyConsole: LineSource = {
  name: 'caddy-console',
  shape: 'lines',
  detect: (line) => PREFIX.test(line.slice(0, LONGEST_PREFIX)),
  open(upload) {
    const fields = caddy.open(upload);
    return {
      parse(line): Parsed {
        const begin = PREFIX.exec(line.slice(0, LONGEST_PREFIX));
        if (begin === null) return notCaddy;
        const [prefix, day, clock, logger] = begin as unknown as readonly [string, string, string, string];
        const open = line.indexOf('\t{', prefix.length - 1);
        if (open === -1) return notAccess;
        const record = parseJson(line.slice(open + 1));
        if (!isRecord(record))
          return { reject: 'the fields behind the message are no JSON object (line cut off?)' };
        return fields.parse({ ...record, ts: `${day.replaceAll('/', '-')}T${clock}`, logger });
      },
    };
  },
};

/** Text before the message. No client writes to it. */
const PREFIX = /^(\d{4}\/\d\d\/\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?)\t[A-Za-z]{1,10}\t([\w.-]{1,100})\t/;
const LONGEST_PREFIX = 160;

const notCaddy: Rejection = { reject: 'not a line of Caddy’s console form' };
const notAccess: Skip = { skip: 'no line of the access log' };
