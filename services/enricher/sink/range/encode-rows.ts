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

/** Rows of the table `requests` in the Native format, column by column. */

/** The columns of the table; their order is that of the insert. */
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
  /** Forgets every row behind the first `rows`: those of the last `add` at most, which may have failed half-way. */
  truncate(rows: number): void;
  /** The bytes in pieces, each made when it is asked for. A piece is a column, or some 1 MB of one: what a caller does between two turns of the event loop. */
  encode(): Iterable<Buffer>;
}

/** An encoder that may be used again. */
export interface ReusableEncoder extends RowsEncoder {
  /** Most rows that it holds; what is added beyond them is lost. */
  readonly capacity: number;
  /** Bytes of arrays that it holds for values that rows share, of rows forgotten too. */
  readonly room: number;
  /** Forgets every row, for other ones. What was encoded before must have been copied. */
  clear(): void;
}

/** Columns by what decides their value. The columns of a group share one entry for each row. Each column of texts is a group of its own. */
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
      // Without rows the values that the block shares are removed, too.
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

/** Which rows of a block are taken, and from which row of the columns on they stand. */
interface Taken {
  readonly from: number;
  readonly rows: Uint32Array;
}

/** Rollups keep the hour as DateTime, 1970 to 2106, and so does the end of a row's life. Other times would be wrapped into these. */
const LATEST = 1000 * 2 ** 32 - 1;

function requireTime(name: string, at: number): void {
  if (at >= 0 && at <= LATEST) return;
  throw new RangeError(`${name} ${at} lies outside of 1970 to 2106`);
}

function setPlace(columns: Columns, entries: Entries, { from, rows }: Taken, place: BlockPlace): void {
  requireTime('received_at', place.receivedAt);
  // A row goes when its last day ends: an end that wraps is long past, and the next merge takes the row.
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

/** How each column is encoded, in the order of the table. */
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
