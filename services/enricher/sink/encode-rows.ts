import type { Column } from '../../../shared/clickhouse/native/column.js';
import {
  bool,
  dateTime,
  dateTime64,
  ipv6,
  nullableUint32,
  uint16,
  uint32,
  uint64,
} from '../../../shared/clickhouse/native/columns.js';
import { encodeNativeBlock } from '../../../shared/clickhouse/native/encode-block.js';
import { lowCardinality, text } from '../../../shared/clickhouse/native/text-columns.js';
import { DAY_MS } from '../../../shared/durations.js';
import { NONE, type TextName } from '../../../shared/requests/columns/request-columns.js';
import { lastDayOf } from '../../../shared/requests/last-day.js';
import type { EnrichedBlock, Facet } from '../enriched-block.js';

/** Rows of the table `requests` in the Native format, column by column. */

/** The columns of the table, made anew for each range; their order is that of the insert. */
function createColumns(capacity: number) {
  return {
    website_id: lowCardinality(capacity),
    received_at: dateTime(capacity),
    source: lowCardinality(capacity),
    retention_days: uint16(capacity),
    address_days: uint16(capacity),
    log_partition: uint16(capacity),
    log_offset: uint64(capacity),
    log_index: uint32(capacity),
    timestamp: dateTime64(capacity),
    client_ip: ipv6(capacity),
    method: lowCardinality(capacity),
    host: lowCardinality(capacity),
    protocol: lowCardinality(capacity),
    status: uint16(capacity),
    bytes_sent: uint64(capacity),
    time_taken_ms: nullableUint32(capacity),
    user_agent: text(capacity),
    referrer: text(capacity),
    request_id: text(capacity),
    content_type: lowCardinality(capacity),
    cache_status: lowCardinality(capacity),
    cdn_bot_category: lowCardinality(capacity),
    path: text(capacity),
    query: text(capacity),
    file_type: lowCardinality(capacity),
    is_bot: bool(capacity),
    traffic_class: lowCardinality(capacity),
    bot_name: lowCardinality(capacity),
    bot_variant: lowCardinality(capacity),
    bot_family: lowCardinality(capacity),
    bot_operator: lowCardinality(capacity),
    bot_category: lowCardinality(capacity),
    ai_intent: lowCardinality(capacity),
    bot_verification: lowCardinality(capacity),
    verification_method: lowCardinality(capacity),
    rules_version: lowCardinality(capacity),
    country: lowCardinality(capacity),
    region: lowCardinality(capacity),
    city: lowCardinality(capacity),
    asn: uint32(capacity),
    as_name: lowCardinality(capacity),
    browser: lowCardinality(capacity),
    os: lowCardinality(capacity),
    device_type: lowCardinality(capacity),
    referrer_domain: lowCardinality(capacity),
    referrer_class: lowCardinality(capacity),
    ai_operator: lowCardinality(capacity),
  } satisfies Record<string, Column<never>>;
}

export const requestColumns = Object.keys(createColumns(0));

/** What all rows of a block share: whose they are, where they stand in the log, and how long they are kept. */
export interface BlockPlace {
  readonly websiteId: string;
  readonly source: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly partition: number;
  readonly offset: number;
  readonly retentionDays: number;
  /** How long the client addresses are kept, at most as long as the rows; 0: as long. */
  readonly addressDays: number;
}

export interface RowsEncoder {
  readonly rows: number;
  /**
   * @param kept rows of the block, in rising order. @param indexes places of their requests in the record; default: the same.
   * @throws Error where an address is none, or a value does not fit its column here or in a rollup; the caller truncates then.
   */
  add(place: BlockPlace, block: EnrichedBlock, kept: Uint32Array, indexes?: Uint32Array): void;
  /** Forgets every row behind the first `rows`. */
  truncate(rows: number): void;
  encode(): Buffer;
}

/** @param capacity most rows that it will hold; what is added beyond them is lost. */
export function createRowsEncoder(capacity: number): RowsEncoder {
  const columns = createColumns(capacity);
  let rows = 0;
  return {
    get rows() {
      return rows;
    },
    add(place, block, kept, indexes = kept) {
      setPlace(columns, { from: rows, rows: kept }, place);
      columns.log_index.gather(rows, { rows: indexes, ids: null, count: 0, valueAt: (index) => index });
      setRequests(columns, { from: rows, rows: kept }, block);
      setEnrichment(columns, { from: rows, rows: kept }, block);
      rows += kept.length;
    },
    truncate(remaining) {
      rows = remaining;
      for (const column of Object.values(columns)) column.truncate(rows);
    },
    encode: () => encodeNativeBlock(columns, rows),
  };
}

type Columns = ReturnType<typeof createColumns>;

/** Which rows of a block are taken, and from which row of the columns on they stand. */
interface Taken {
  readonly from: number;
  readonly rows: Uint32Array;
}

/** Rollups keep the hour as DateTime, 1970 to 2106, and so does the end of a row's life. Other times would be wrapped into these. */
const LATEST = 1000 * 2 ** 32 - 1;

function requireTime(name: string, at: number): number {
  if (at >= 0 && at <= LATEST) return at;
  throw new RangeError(`${name} ${at} lies outside of 1970 to 2106`);
}

function setPlace(columns: Columns, { from, rows }: Taken, place: BlockPlace): void {
  requireTime('received_at', place.receivedAt);
  // A row goes when its last day ends (0022): an end that wraps is long past, and the next merge takes the row.
  requireTime('end of retention', (lastDayOf(place.receivedAt, place.retentionDays) + 1) * DAY_MS);
  const count = rows.length;
  columns.website_id.fill(from, count, place.websiteId);
  columns.received_at.fill(from, count, Math.floor(place.receivedAt / 1000));
  columns.source.fill(from, count, place.source);
  columns.retention_days.fill(from, count, place.retentionDays);
  columns.address_days.fill(from, count, place.addressDays);
  columns.log_partition.fill(from, count, place.partition);
  columns.log_offset.fill(from, count, place.offset);
}

const textColumns = [
  'client_ip',
  'method',
  'host',
  'protocol',
  'user_agent',
  'referrer',
  'request_id',
  'content_type',
  'cache_status',
  'cdn_bot_category',
] as const satisfies readonly (TextName & keyof Columns)[];

function setRequests(columns: Columns, { from, rows }: Taken, { columns: requests }: EnrichedBlock): void {
  const byRow = <Value>(column: Column<Value>, valueAt: (row: number) => Value) =>
    column.gather(from, { rows, ids: null, count: 0, valueAt });
  byRow(columns.timestamp, (row) => requireTime('timestamp', requests.timestamp[row]!));
  byRow(columns.status, (row) => requests.status[row]!);
  byRow(columns.bytes_sent, (row) => requests.bytes_sent[row]!);
  byRow(columns.time_taken_ms, (row) => orNull(requests.time_taken_ms[row]!));
  for (const name of textColumns) {
    const { texts, ids } = requests.texts[name];
    columns[name].gather(from, { rows, ids, count: texts.length, valueAt: (place) => texts[place]! });
  }
}

const orNull = (value: number) => (value === NONE ? null : value);

/** The columns of each facet. */
const facets = {
  target: ['path', 'query', 'file_type'],
  location: ['country', 'region', 'city', 'asn', 'as_name'],
  judgement: [
    'is_bot',
    'traffic_class',
    'bot_name',
    'bot_variant',
    'bot_family',
    'bot_operator',
    'bot_category',
    'ai_intent',
    'bot_verification',
    'verification_method',
    'rules_version',
    'browser',
    'os',
    'device_type',
  ],
  referral: ['referrer_domain', 'referrer_class', 'ai_operator'],
} as const satisfies { [Name in FacetName]: readonly (FieldOf<Name> & keyof Columns)[] };

type FacetName = Exclude<keyof EnrichedBlock, 'columns'>;
type FieldOf<Name extends FacetName> = EnrichedBlock[Name] extends Facet<infer Value> ? keyof Value : never;

function setEnrichment(columns: Columns, { from, rows }: Taken, block: EnrichedBlock): void {
  for (const facet of Object.keys(facets) as FacetName[]) {
    const { values, ids } = block[facet] as Facet<Readonly<Record<string, unknown>>>;
    for (const name of facets[facet])
      (columns[name] as Column<unknown>).gather(from, {
        rows,
        ids,
        count: values.length,
        valueAt: (place) => values[place]![name],
      });
  }
}
