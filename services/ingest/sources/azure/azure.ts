import { parseJson } from '../../text/parse-json.js';
import { readText } from '../util/coerce.js';
import { quote, words } from '../util/cut-text.js';
import { readRecord } from '../util/read-record.js';
import type { JsonRecord, JsonSource, Parsed, Skip } from '../util/source.js';
import { appService } from './app-service.js';
import { applicationGateway } from './application-gateway.js';
import type { AzureLog, Fields } from './azure-log.js';
import { containerApps } from './container-apps.js';
import { frontDoor } from './front-door.js';

/** Every supported access log of Azure. Fields in docs/sources/azure.md. */
const logs: readonly AzureLog[] = [frontDoor, applicationGateway, appService, containerApps];

/** Access logs by Azure's names, in lower case. */
const byCategory = new Map(logs.flatMap((log) => log.categories.map((name) => [name, log] as const)));

/** Logs of Front Door about probes and rules, which come over the same path. */
const withoutRequests: ReadonlySet<string> = new Set(
  words('frontdoorhealthprobelog frontdoorwebapplicationfirewalllog webapplicationfirewalllogs'),
);
const otherLog: Skip = { skip: 'not an entry of an access log' };

/** Resource logs of Azure, as diagnostic settings and Log Analytics write them. */
export const azure: JsonSource = {
  name: 'azure',
  shape: 'json',

  detect: (record) =>
    (record.category !== undefined && record.properties !== undefined) ||
    (record.resourceId !== undefined && record.operationName !== undefined) ||
    record.trackingReference_s !== undefined ||
    record.TrackingReference !== undefined ||
    (typeof record.Type === 'string' && byCategory.has(record.Type.toLowerCase())),

  open: () => {
    const nameOf = createNames();
    return { parse: (record) => parse(readFields(record, nameOf)) };
  },
};

/** A record without a category is Front Door's, because an export may omit it. */
function parse(fields: Fields): Parsed {
  const category = readText(fields.get('category')) || readText(fields.get('type'));
  const log = category === '' ? frontDoor : byCategory.get(category.toLowerCase());
  if (log !== undefined) return log.read(fields);
  if (withoutRequests.has(category.toLowerCase())) return otherLog;
  const known = logs.map(({ title }) => title).join(', ');
  return { reject: `category: ${quote(category)} is no access log that is read (those of ${known} are)` };
}

/** Names that are read. */
const names: ReadonlySet<string> = new Set([
  ...words('category type time timestamp timegenerated'),
  ...logs.flatMap((log) => log.names),
]);

/** Limits of an upload's cached names, in number and length. Records of an upload have the same names. */
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

/** Log Analytics puts the properties on the top level. `N/A` in any field means that it is missing. */
function readFields(record: JsonRecord, nameOf: (key: string) => string | null): Fields {
  const fields = new Map<string, unknown>();
  for (const part of [record, propertiesOf(record)]) {
    for (const key of Object.keys(part)) {
      const name = nameOf(key);
      if (name !== null && part[key] !== 'N/A') fields.set(name, part[key]);
    }
  }
  return fields;
}

/** App Service writes its properties as a text. */
function propertiesOf({ properties }: JsonRecord): JsonRecord {
  return readRecord(typeof properties === 'string' ? parseJson(properties) : properties);
}
