import { z } from 'zod';
import type { AskDns, JudgedRequest, Judgement } from '../crawlers/judge-request.js';
import { DAY_MS } from '../durations.js';
import { inPieces } from '../in-pieces.js';
import { clientIpText } from '../queries/client-ip.js';
import { type VerificationStatus, verificationStatuses } from '../requests/enriched-request.js';
import type { ClickHouse, ClickHouseReader } from './client.js';
import { type RebuildOptions, rebuildRollups } from './rebuild-rollups.js';

/**
 * Judges stored rows anew, by the rules of crawlers that stand now: after a change of the table. Rows end as they would be if they
 * had just been loaded, and so do the rollups of their days.
 *
 * 1. Each day's rows are read by what their judgement follows from. Where another one follows today, the columns are changed in place,
 *    by mutations that are waited for. A row has all of its new judgement or all of the old.
 * 2. All rows of the day get the version of the rules.
 * 3. The rollups of the days are made again from the rows (rebuild-rollups.ts).
 *
 * It may be cut off anywhere and is repeated from the start. No row is ever taken away, and a row that is judged twice gets the same
 * judgement: all of what that follows from stays, or is changed to what leads to the same. So it counts once however often it is repeated.
 *
 * Nothing may insert rows of these days meanwhile (rebuild-rollups.ts).
 */

/** Rows by their own time, in whole UTC days; YYYY-MM-DD, both included. */
export interface Stretch {
  readonly websiteId: string;
  readonly from: string;
  readonly to: string;
}

export interface ReclassifyOptions extends RebuildOptions {
  readonly judge: (request: JudgedRequest, askDns: AskDns) => Judgement;
  /** Groups of rows that one read tells at most, but for ties; default 20,000. */
  readonly pageSize?: number;
}

export interface ReclassifyReport {
  readonly days: number;
  readonly rows: number;
  /** Of these, the ones that got another judgement; a repeat after a crash counts what was left to change. */
  readonly changed: number;
}

const PAGE = 20_000;
/** Keys of 32 characters in one statement: they are pasted into it on the embedded engine, whose text may be 256 KiB. */
const KEYS_PER_STATEMENT = 4_000;
const SYNCED = { mutations_sync: 2 };

/** What a judgement follows from, beside the rules and the day: as 32 characters. The last three tell what DNS has said before. */
const KEY =
  'hex(sipHash128(user_agent, client_ip, cdn_bot_category, bot_family, bot_verification, verification_method))';

const judgedColumns = {
  is_bot: 'Bool',
  traffic_class: 'String',
  bot_name: 'String',
  bot_variant: 'String',
  bot_family: 'String',
  bot_operator: 'String',
  bot_category: 'String',
  ai_intent: 'String',
  bot_verification: 'String',
  verification_method: 'String',
  browser: 'String',
  os: 'String',
  device_type: 'String',
} as const satisfies Partial<Record<keyof Judgement, string>>;
type JudgedColumn = keyof typeof judgedColumns;
const columnNames = Object.keys(judgedColumns) as JudgedColumn[];

/** @throws StoreUnavailableError, StoreTimeoutError, Error: repeat the whole call. */
export async function reclassifyRows(
  clickhouse: ClickHouse,
  stretch: Stretch,
  options: ReclassifyOptions,
): Promise<ReclassifyReport> {
  const { logger } = options;
  const days = await daysOf(clickhouse, stretch);
  let changed = 0;
  for (const { day } of days) {
    const ofDay = { websiteId: stretch.websiteId, day };
    const changedOfDay = await judgeDay(clickhouse, ofDay, options);
    changed += changedOfDay;
    await setVersion(clickhouse, ofDay, options);
    const line = { website_id: stretch.websiteId, day, changed: changedOfDay };
    logger.info(line, 'rows of a day judged anew');
  }
  await rebuildRollups(
    clickhouse,
    days.map(({ day }) => ({ websiteId: stretch.websiteId, day })),
    options,
  );
  return { days: days.length, rows: days.reduce((sum, { rows }) => sum + rows, 0), changed };
}

/** Websites that have rows of these days. */
export async function websitesOf(
  reader: ClickHouseReader,
  { from, to }: Pick<Stretch, 'from' | 'to'>,
): Promise<string[]> {
  const rows = await reader.read({
    name: 'reclassify.websites',
    sql: `SELECT DISTINCT website_id FROM requests WHERE ${WITHIN} ORDER BY website_id`,
    params: boundsOf(from, to),
    row: z.object({ website_id: z.string() }),
    timeoutMs: LONG_MS,
  });
  return rows.map(({ website_id }) => website_id);
}

const LONG_MS = 300_000;
const WITHIN =
  "timestamp >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND timestamp < fromUnixTimestamp64Milli({end: Int64}, 'UTC')";
const OF_WEBSITE = `website_id = {website: String} AND ${WITHIN}`;
const boundsOf = (from: string, to: string) => ({ start: Date.parse(from), end: Date.parse(to) + DAY_MS });

interface Day {
  readonly websiteId: string;
  readonly day: string;
}

const paramsOf = ({ websiteId, day }: Day) => ({ website: websiteId, ...boundsOf(day, day) });

function daysOf(reader: ClickHouseReader, { websiteId, from, to }: Stretch) {
  return reader.read({
    name: 'reclassify.days',
    sql: `SELECT toString(toDate(timestamp)) AS day, count() AS rows FROM requests WHERE ${OF_WEBSITE} GROUP BY day ORDER BY day`,
    params: { website: websiteId, ...boundsOf(from, to) },
    row: z.object({ day: z.string(), rows: z.number() }),
    timeoutMs: LONG_MS,
  });
}

const text = z.string();
const groupRow = z.object({
  key: text,
  rows: z.number(),
  user_agent: text,
  ip: text,
  cdn_bot_category: text,
  is_bot: z.boolean(),
  traffic_class: text,
  bot_name: text,
  bot_variant: text,
  bot_family: text,
  bot_operator: text,
  bot_category: text,
  ai_intent: text,
  bot_verification: text,
  verification_method: text,
  browser: text,
  os: text,
  device_type: text,
});
type Group = z.infer<typeof groupRow>;

/** @returns rows that were changed. */
async function judgeDay(
  clickhouse: ClickHouse,
  day: Day,
  { judge, pageSize = PAGE }: ReclassifyOptions,
): Promise<number> {
  let changed = 0;
  for (let after = ''; ; ) {
    const groups = await readGroups(clickhouse, day, after, pageSize);
    const others = new Map<string, { judgement: Judgement; keys: Set<string> }>();
    for (const group of groups) {
      const judgement = judge(
        {
          user_agent: group.user_agent,
          client_ip: group.ip,
          cdn_bot_category: group.cdn_bot_category,
          timestamp: Date.parse(day.day),
        },
        (family) => verdictOfBefore(group, family),
      );
      if (columnNames.every((name) => judgement[name] === group[name])) continue;
      changed += group.rows;
      const name = JSON.stringify(columnNames.map((column) => judgement[column]));
      const same = others.get(name);
      if (same === undefined) others.set(name, { judgement, keys: new Set([group.key]) });
      else same.keys.add(group.key);
    }
    for (const { judgement, keys } of others.values())
      for (const some of inPieces([...keys], KEYS_PER_STATEMENT))
        await rewrite(clickhouse, day, judgement, some);
    const last = groups.at(-1);
    if (last === undefined || groups.length < pageSize) return changed;
    after = last.key;
  }
}

/**
 * What DNS has said of the address for this family, as the row was stored; a late verdict is applied where rows are read. Nothing is asked
 * here: what nobody knows is pending until the address's next request asks. Rows of before methods were kept name none.
 */
function verdictOfBefore(group: Group, family: string): VerificationStatus {
  const status = verificationStatuses.find((one) => one === group.bot_verification);
  if (group.bot_family !== family || status === undefined) return 'pending';
  if (group.verification_method === 'reverse_dns') return status;
  return group.verification_method === '' && status !== 'unverifiable' ? status : 'pending';
}

function readGroups(reader: ClickHouseReader, day: Day, after: string, pageSize: number): Promise<Group[]> {
  const keys = ['user_agent', 'client_ip', 'cdn_bot_category', ...columnNames];
  return reader.read({
    name: 'reclassify.groups',
    sql: `SELECT ${KEY} AS key, count() AS rows, user_agent, ${clientIpText('client_ip')} AS ip, cdn_bot_category, ${columnNames.join(', ')}
FROM requests
WHERE ${OF_WEBSITE} AND ${KEY} > {after: String}
GROUP BY ${keys.join(', ')}
ORDER BY key
LIMIT {page: UInt32} WITH TIES`,
    params: { ...paramsOf(day), after, page: pageSize },
    row: groupRow,
    timeoutMs: LONG_MS,
  });
}

async function rewrite(
  clickhouse: ClickHouse,
  day: Day,
  judgement: Judgement,
  keys: readonly string[],
): Promise<void> {
  const sets = columnNames.map((name) => `${name} = {${name}: ${judgedColumns[name]}}`);
  const values = Object.fromEntries(columnNames.map((name) => [name, judgement[name]]));
  await clickhouse.command(
    `ALTER TABLE requests UPDATE ${sets.join(', ')} WHERE ${OF_WEBSITE} AND ${KEY} IN {keys: Array(String)}`,
    { ...paramsOf(day), ...values, keys },
    SYNCED,
  );
}

/** One for the whole day: lists of ranges begin to stand with a day. */
async function setVersion(clickhouse: ClickHouse, day: Day, { judge }: ReclassifyOptions): Promise<void> {
  const anyRequest = { user_agent: '', client_ip: '', cdn_bot_category: '', timestamp: Date.parse(day.day) };
  const { rules_version } = judge(anyRequest, () => 'pending');
  await clickhouse.command(
    `ALTER TABLE requests UPDATE rules_version = {version: String} WHERE ${OF_WEBSITE} AND rules_version != {version: String}`,
    { ...paramsOf(day), version: rules_version },
    SYNCED,
  );
}
