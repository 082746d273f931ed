import { z } from 'zod';
import type { AskDns, JudgedRequest, Judgement } from '../../../shared/crawlers/judge-request.js';
import { attackTools } from '../../../shared/detection/probe-lists.js';
import { DAY_MS } from '../../../shared/durations.js';
import { clientIpText, isKnownIp } from '../../../shared/reads/sql/client-ip.js';
import { type VerificationStatus, verificationStatuses } from '../../../shared/requests/enriched-request.js';
import type { ClickHouse, ClickHouseReader } from '../../../shared/store/client.js';
import { type Change, judgedColumns, KEY, updatesOf } from './judgement-changes.js';
import { type RebuildOptions, rebuildRollups } from './rebuild-rollups.js';

/**
 * Classifies stored rows again by the current crawler rules, after a change of the crawler table. Rows, and the rollups of their days,
 * end as if they had just been loaded.
 *
 * 1. Each day's rows are grouped by the inputs of their judgement. If the judgement differs today, mutations change the columns in place,
 *    and the step waits for them. A row has either its complete new judgement or its complete old one.
 * 2. All rows of the day get the version of the rules. Rows whose crawler is now an attack tool become probes. Existing probes stay probes.
 * 3. The rollups of the days are rebuilt from the rows (rebuild-rollups.ts).
 *
 * After a crash at any point, repeat the call. Rows are never deleted, and repeated classification gives the same judgement: its inputs
 * stay, or change to values with the same result. So each row counts once.
 *
 * Nothing may insert rows of these days meanwhile (rebuild-rollups.ts).
 */

/** Whole UTC days of the rows' own time; YYYY-MM-DD, both included. */
export interface Stretch {
  readonly websiteId: string;
  readonly from: string;
  readonly to: string;
}

export interface ReclassifyOptions extends RebuildOptions {
  readonly judge: (request: JudgedRequest, askDns: AskDns) => Judgement;
  /** Keys per page; default 20,000. */
  readonly pageSize?: number;
  /** Most bytes of all user agents in a page, since clients choose them. A larger key has its own page. Default 8 MiB. */
  readonly pageBytes?: number;
}

export interface ReclassifyReport {
  readonly days: number;
  readonly rows: number;
  /** Rows with a new judgement. A repeat after a crash counts only the rows that it changed. */
  readonly changed: number;
}

const PAGE = 20_000;
const PAGE_BYTES = 8 * 1024 ** 2;
const SYNCED = { mutations_sync: 2 };

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
    await setDay(clickhouse, ofDay, options);
    const line = { website_id: stretch.websiteId, day, changed: changedOfDay };
    logger.info(line, 'rows of a day reclassified');
  }
  await rebuildRollups(
    clickhouse,
    days.map(({ day }) => ({ websiteId: stretch.websiteId, day })),
    options,
  );
  return { days: days.length, rows: days.reduce((sum, { rows }) => sum + rows, 0), changed };
}

/** Websites with rows of these days. */
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
/** A row without its address (docs/privacy.md) keeps its judgement, since an input is missing. */
const OF_WEBSITE = `website_id = {website: String} AND ${WITHIN} AND ${isKnownIp('client_ip')}`;
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
  asn: z.number(),
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

/** @returns the number of changed rows. */
async function judgeDay(clickhouse: ClickHouse, day: Day, options: ReclassifyOptions): Promise<number> {
  let changed = 0;
  for (let after = ''; ; ) {
    const last = await endOfPage(clickhouse, day, after, options);
    if (last === null) return changed;
    const groups = await readGroups(clickhouse, day, after, last);
    const changes = new Map<string, Change>();
    for (const group of groups) {
      const judgement = judgeGroup(group, day, options);
      if (judgedColumns.every((name) => judgement[name] === group[name])) continue;
      changed += group.rows;
      // Groups of one key differ only in their old judgement.
      changes.set(group.key, { key: group.key, judgement });
    }
    for (const { sets, condition, params } of updatesOf([...changes.values()]))
      await clickhouse.command(
        `ALTER TABLE requests UPDATE ${sets} WHERE ${OF_WEBSITE} AND ${condition}`,
        { ...paramsOf(day), ...params },
        SYNCED,
      );
    after = last;
  }
}

function judgeGroup(group: Group, { day }: Day, { judge }: ReclassifyOptions): Judgement {
  const { user_agent, ip, asn, cdn_bot_category } = group;
  return judge({ user_agent, client_ip: ip, asn, cdn_bot_category, timestamp: Date.parse(day) }, (family) =>
    verdictOfBefore(group, family),
  );
}

/**
 * The DNS result of the address for this family when the row was stored. Reads apply late verdicts. No DNS query is sent here: without a
 * result, the claim stays pending until the next request of the address.
 */
function verdictOfBefore(group: Group, family: string): VerificationStatus {
  const status = verificationStatuses.find((one) => one === group.bot_verification);
  const isKnown = group.bot_family === family && group.verification_method === 'reverse_dns';
  return isKnown && status !== undefined ? status : 'pending';
}

/** The last key of a page; null: there are no more keys. */
async function endOfPage(
  reader: ClickHouseReader,
  day: Day,
  after: string,
  { pageSize = PAGE, pageBytes = PAGE_BYTES }: ReclassifyOptions,
): Promise<string | null> {
  const keys = await reader.read({
    name: 'reclassify.keys',
    sql: `SELECT ${KEY} AS key, max(length(user_agent)) AS bytes
FROM requests
WHERE ${OF_WEBSITE} AND ${KEY} > {after: String}
GROUP BY key
ORDER BY key
LIMIT {page: UInt32}
${SPILLED}`,
    params: { ...paramsOf(day), after, page: pageSize },
    row: z.object({ key: text, bytes: z.number() }),
    timeoutMs: LONG_MS,
  });
  let last: string | null = null;
  let total = 0;
  for (const { key, bytes } of keys) {
    total += bytes;
    if (last !== null && total > pageBytes) break;
    last = key;
  }
  return last;
}

function readGroups(reader: ClickHouseReader, day: Day, after: string, last: string): Promise<Group[]> {
  const columns = ['user_agent', 'client_ip', 'asn', 'cdn_bot_category', ...judgedColumns];
  return reader.read({
    name: 'reclassify.groups',
    sql: `SELECT ${KEY} AS key, count() AS rows, user_agent, ${clientIpText('client_ip')} AS ip, asn, cdn_bot_category, ${judgedColumns.join(', ')}
FROM requests
WHERE ${OF_WEBSITE} AND ${KEY} > {after: String} AND ${KEY} <= {last: String}
GROUP BY ${columns.join(', ')}`,
    params: { ...paramsOf(day), after, last },
    row: groupRow,
    timeoutMs: LONG_MS,
  });
}

/** Spills to disk, since a day may have any number of keys. */
const SPILLED = 'SETTINGS max_bytes_before_external_group_by = 268435456';

/** A whole day has one version, since range lists become valid at the start of a day. */
async function setDay(clickhouse: ClickHouse, day: Day, { judge }: ReclassifyOptions): Promise<void> {
  const anyRequest = {
    user_agent: '',
    client_ip: '',
    asn: 0,
    cdn_bot_category: '',
    timestamp: Date.parse(day.day),
  };
  const { rules_version } = judge(anyRequest, () => 'pending');
  await clickhouse.command(
    `ALTER TABLE requests
  UPDATE rules_version = {version: String} WHERE ${OF_WEBSITE} AND rules_version != {version: String},
  UPDATE is_probe = true WHERE ${OF_WEBSITE} AND NOT is_probe AND bot_name IN {tools: Array(String)}`,
    { ...paramsOf(day), version: rules_version, tools: [...attackTools] },
    SYNCED,
  );
}
