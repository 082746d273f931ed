import { DAY_MS } from '../../../../shared/durations.js';
import {
  NONE,
  type RequestColumns,
  type TextName,
} from '../../../../shared/requests/columns/request-columns.js';
import { lastDayOf } from '../../../../shared/requests/last-day.js';
import type { EnrichedBlock, Facet } from '../../block/enriched-block.js';
import type { Encoded, EntryColumn, RowColumn } from '../../native/column.js';
import { encodeNativeBlock } from '../../native/encode-block.js';
import { bool, dateTime, ipv6, uint16, uint32, uint64 } from '../../native/entry-columns.js';
import {
  boolRows,
  dateTime64Rows,
  nullableUint32Rows,
  uint16Rows,
  uint32Rows,
  uint64Rows,
} from '../../native/row-columns.js';
import { lowCardinality, text } from '../../native/text-columns.js';
import { createEntries, type Entries } from './entries.js';

/** Encodes rows of the table `requests` in the Native format, column by column. */

/** The columns of the table, in the order of the insert. */
function createColumns(capacity: number) {
  return {
    website_id: lowCardinality(),
    received_at: dateTime(),
    source: lowCardinality(),
    retention_days: uint16(),
    address_days: uint16(),
    log_partition: uint16(),
    log_offset: uint64(),
    log_index: uint32Rows(capacity),
    timestamp: dateTime64Rows(capacity),
    client_ip: ipv6(),
    method: lowCardinality(),
    host: lowCardinality(),
    protocol: lowCardinality(),
    status: uint16Rows(capacity),
    bytes_sent: uint64Rows(capacity),
    time_taken_ms: nullableUint32Rows(capacity, NONE),
    user_agent: text(),
    referrer: text(),
    request_id: text(),
    content_type: lowCardinality(),
    cache_status: lowCardinality(),
    cdn_bot_category: lowCardinality(),
    path: text(),
    query: text(),
    sent_target: lowCardinality(),
    file_type: lowCardinality(),
    is_bot: bool(),
    is_probe: boolRows(capacity),
    traffic_class: lowCardinality(),
    bot_name: lowCardinality(),
    bot_variant: lowCardinality(),
    bot_family: lowCardinality(),
    bot_operator: lowCardinality(),
    bot_category: lowCardinality(),
    ai_intent: lowCardinality(),
    bot_verification: lowCardinality(),
    verification_method: lowCardinality(),
    rules_version: lowCardinality(),
    country: lowCardinality(),
    region: lowCardinality(),
    city: lowCardinality(),
    asn: uint32(),
    as_name: lowCardinality(),
    browser: lowCardinality(),
    os: lowCardinality(),
    device_type: lowCardinality(),
    referrer_domain: lowCardinality(),
    referrer_class: lowCardinality(),
    ai_operator: lowCardinality(),
  } satisfies Record<string, EntryColumn<never> | RowColumn>;
}

type Columns = ReturnType<typeof createColumns>;
type SharedName = { [Name in keyof Columns]: Columns[Name] extends RowColumn ? never : Name }[keyof Columns];

export const requestColumns = Object.keys(createColumns(0));

/** The values that all rows of a block share: website, position in the log, and retention. */
export interface BlockPlace {
  readonly websiteId: string;
  readonly source: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly partition: number;
  readonly offset: number;
  readonly retentionDays: number;
  /** Retention of the client addresses in days, at most that of the rows; 0: the same. */
  readonly addressDays: number;
}

export interface RowsEncoder {
  readonly rows: number;
  /**
   * @param kept rows of the block, in rising order
   * @param indexes indexes of their requests in the record; default: the same
   * @throws Error for an invalid address, or a value that does not fit its column here or in a rollup. The
   * caller then truncates.
   */
  add(place: BlockPlace, block: EnrichedBlock, kept: Uint32Array, indexes?: Uint32Array): void;
  /**
   * Removes every row after the first `rows`: at most those of the last `add`, which may have failed halfway.
   */
  truncate(rows: number): void;
  /**
   * The bytes in pieces, each created on demand. A piece is a column, or about 1 MB of one: the work between
   * two turns of the event loop.
   */
  encode(): Iterable<Buffer>;
}

/** An encoder that can be reused. */
export interface ReusableEncoder extends RowsEncoder {
  /** Most rows; rows beyond it are lost. */
  readonly capacity: number;
  /** Bytes of the arrays for shared values, including capacity for removed rows. */
  readonly room: number;
  /** Removes every row. Earlier encoded bytes must have been copied. */
  clear(): void;
}

/**
 * Columns by the values that determine them. The columns of a group share one entry for each row. Each text
 * column is a separate group.
 */
const columnsOf = {
  block: [
    'website_id',
    'received_at',
    'source',
    'retention_days',
    'address_days',
    'log_partition',
    'log_offset',
  ],
  texts: [
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
  ],
  target: ['path', 'query', 'sent_target', 'file_type'],
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
} as const satisfies {
  readonly block: readonly SharedName[];
  readonly texts: readonly (TextName & SharedName)[];
} & { readonly [Name in FacetName]: readonly (FieldOf<Name> & SharedName)[] };

type FacetName = Exclude<keyof EnrichedBlock, 'columns' | 'isProbe'>;
type FieldOf<Name extends FacetName> = EnrichedBlock[Name] extends Facet<infer Value> ? keyof Value : never;
const facetNames = ['target', 'location', 'judgement', 'referral'] as const satisfies readonly FacetName[];

type GroupName = 'block' | (typeof columnsOf.texts)[number] | FacetName;
type AllEntries = Readonly<Record<GroupName, Entries>>;

const groupOf = new Map<string, GroupName>([
  ...columnsOf.texts.map((name) => [name, name] as const),
  ...(['block', ...facetNames] as const).flatMap((group) =>
    columnsOf[group].map((name) => [name, group] as const),
  ),
]);
const groupNames = new Set(groupOf.values());

export function createRowsEncoder(capacity: number): ReusableEncoder {
  const columns = createColumns(capacity);
  const entries = Object.fromEntries(
    Array.from(groupNames, (name) => [name, createEntries(capacity)]),
  ) as AllEntries;
  const undone = [...Object.values(columns).filter((column) => 'undo' in column), ...Object.values(entries)];
  let rows = 0;
  let marked = 0;

  function truncate(remaining: number): void {
    if (remaining > marked) return;
    rows = marked;
    for (const one of undone) one.undo();
  }

  return {
    capacity,
    get room() {
      return undone.reduce((sum, one) => sum + one.room, 0);
    },
    get rows() {
      return rows;
    },
    add(place, block, kept, indexes = kept) {
      marked = rows;
      for (const one of undone) one.mark();
      const taken = { from: rows, rows: kept };
      setPlace(columns, entries.block, taken, place);
      columns.log_index.set(rows, indexes);
      setNumbers(columns, taken, block.columns);
      columns.is_probe.gather(rows, kept, block.isProbe);
      setTexts(columns, entries, taken, block.columns);
      setFacets(columns, entries, taken, block);
      rows += kept.length;
      // Without rows, the shared values of the block are removed too.
      if (kept.length === 0) truncate(rows);
    },
    truncate,
    clear() {
      rows = 0;
      marked = 0;
      for (const one of undone) one.clear();
    },
    encode: () => encodeNativeBlock(encodersOf(columns, entries, rows), rows),
  };
}

/** The rows of a block that are stored, and their first row in the columns. */
interface Taken {
  readonly from: number;
  readonly rows: Uint32Array;
}

/** The hour of rollups and the end of a row's retention are columns of type DateTime: 1970 to 2106. Other times would wrap into this range. */
const LATEST = 1000 * 2 ** 32 - 1;

function requireTime(name: string, at: number): void {
  if (at >= 0 && at <= LATEST) return;
  throw new RangeError(`${name} ${at} is outside of 1970 to 2106`);
}

function setPlace(columns: Columns, entries: Entries, { from, rows }: Taken, place: BlockPlace): void {
  requireTime('received_at', place.receivedAt);
  // A row expires when its last day ends. A wrapped end would be in the past, and the next merge would delete
  // the row.
  requireTime('end of retention', (lastDayOf(place.receivedAt, place.retentionDays) + 1) * DAY_MS);
  columns.website_id.add(place.websiteId);
  columns.received_at.add(Math.floor(place.receivedAt / 1000));
  columns.source.add(place.source);
  columns.retention_days.add(place.retentionDays);
  columns.address_days.add(place.addressDays);
  columns.log_partition.add(place.partition);
  columns.log_offset.add(place.offset);
  entries.fill(from, rows.length);
}

function setNumbers(columns: Columns, { from, rows }: Taken, requests: RequestColumns): void {
  const { timestamp } = requests;
  for (let at = 0; at < rows.length; at += 1) requireTime('timestamp', timestamp[rows[at]!]!);
  columns.timestamp.gather(from, rows, timestamp);
  columns.status.gather(from, rows, requests.status);
  columns.bytes_sent.gather(from, rows, requests.bytes_sent);
  columns.time_taken_ms.gather(from, rows, requests.time_taken_ms);
}

function setTexts(
  columns: Columns,
  entries: AllEntries,
  { from, rows }: Taken,
  requests: RequestColumns,
): void {
  for (const name of columnsOf.texts) {
    const { texts, ids } = requests.texts[name];
    const column: EntryColumn<string> = columns[name];
    const places = entries[name].take(from, rows, ids, texts.length);
    for (let at = 0; at < places.length; at += 1) column.add(texts[places[at]!]!);
  }
}

function setFacets(columns: Columns, entries: AllEntries, { from, rows }: Taken, block: EnrichedBlock): void {
  for (const facet of facetNames) {
    const { values, ids } = block[facet] as Facet<Readonly<Record<string, unknown>>>;
    const places = entries[facet].take(from, rows, ids, values.length);
    for (const name of columnsOf[facet]) {
      const column = columns[name] as EntryColumn<unknown>;
      for (let at = 0; at < places.length; at += 1) column.add(values[places[at]!]![name]);
    }
  }
}

/** The encoder of each column, in the order of the table. */
function encodersOf(columns: Columns, entries: AllEntries, rows: number): Map<string, () => Encoded> {
  return new Map(
    Object.entries(columns).map(([name, column]) => [
      name,
      'gather' in column
        ? () => column.encode(rows)
        : () => column.encode(entries[groupOf.get(name)!].firstRows(rows)),
    ]),
  );
}
