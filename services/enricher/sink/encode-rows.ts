import {
  bool,
  type Column,
  dateTime,
  dateTime64,
  ipv6,
  lowCardinality,
  nullableUint32,
  string,
  uint16,
  uint32,
  uint64,
} from '../../../shared/clickhouse/native/columns.js';
import { encodeNativeBlock } from '../../../shared/clickhouse/native/encode-block.js';
import { DAY_MS } from '../../../shared/durations.js';
import type { Enrichment } from '../../../shared/requests/enriched-request.js';
import { lastDayOf } from '../../../shared/requests/last-day.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';

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
    user_agent: string(capacity),
    referrer: string(capacity),
    request_id: string(capacity),
    content_type: lowCardinality(capacity),
    cache_status: lowCardinality(capacity),
    cdn_bot_category: lowCardinality(capacity),
    path: string(capacity),
    query: string(capacity),
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
   * @param index the request's place in its block.
   * @throws Error where its address is none, or a value does not fit its column here or in a rollup; the row is not there then.
   */
  add(place: BlockPlace, index: number, request: RawRequest, enrichment: Enrichment): void;
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
    add(place, index, request, enrichment) {
      setPlace(columns, rows, place);
      columns.log_index.set(rows, index);
      setRequest(columns, rows, request);
      setEnrichment(columns, rows, enrichment);
      rows += 1;
    },
    truncate(remaining) {
      rows = remaining;
    },
    encode: () => encodeNativeBlock(columns, rows),
  };
}

type Columns = ReturnType<typeof createColumns>;

/** Rollups keep the hour as DateTime, 1970 to 2106, and so does the end of a row's life. Other times would be wrapped into these. */
const LATEST = 1000 * 2 ** 32 - 1;

function requireTime(name: string, at: number): void {
  if (!(at >= 0 && at <= LATEST)) throw new RangeError(`${name} ${at} lies outside of 1970 to 2106`);
}

function setPlace(columns: Columns, row: number, place: BlockPlace): void {
  requireTime('received_at', place.receivedAt);
  // A row goes when its last day ends (0022): an end that wraps is long past, and the next merge takes the row.
  requireTime('end of retention', (lastDayOf(place.receivedAt, place.retentionDays) + 1) * DAY_MS);
  columns.website_id.set(row, place.websiteId);
  columns.received_at.set(row, Math.floor(place.receivedAt / 1000));
  columns.source.set(row, place.source);
  columns.retention_days.set(row, place.retentionDays);
  columns.address_days.set(row, place.addressDays);
  columns.log_partition.set(row, place.partition);
  columns.log_offset.set(row, place.offset);
}

function setRequest(columns: Columns, row: number, request: RawRequest): void {
  requireTime('timestamp', request.timestamp);
  columns.timestamp.set(row, request.timestamp);
  columns.client_ip.set(row, request.client_ip);
  columns.method.set(row, request.method);
  columns.host.set(row, request.host);
  columns.protocol.set(row, request.protocol);
  columns.status.set(row, request.status);
  columns.bytes_sent.set(row, request.bytes_sent);
  columns.time_taken_ms.set(row, request.time_taken_ms);
  columns.user_agent.set(row, request.user_agent);
  columns.referrer.set(row, request.referrer);
  columns.request_id.set(row, request.request_id);
  columns.content_type.set(row, request.content_type);
  columns.cache_status.set(row, request.cache_status);
  columns.cdn_bot_category.set(row, request.cdn_bot_category);
}

function setEnrichment(columns: Columns, row: number, e: Enrichment): void {
  columns.path.set(row, e.path);
  columns.query.set(row, e.query);
  columns.file_type.set(row, e.file_type);
  columns.is_bot.set(row, e.is_bot);
  columns.traffic_class.set(row, e.traffic_class);
  columns.bot_name.set(row, e.bot_name);
  columns.bot_variant.set(row, e.bot_variant);
  columns.bot_family.set(row, e.bot_family);
  columns.bot_operator.set(row, e.bot_operator);
  columns.bot_category.set(row, e.bot_category);
  columns.ai_intent.set(row, e.ai_intent);
  columns.bot_verification.set(row, e.bot_verification);
  columns.verification_method.set(row, e.verification_method);
  columns.rules_version.set(row, e.rules_version);
  columns.country.set(row, e.country);
  columns.region.set(row, e.region);
  columns.city.set(row, e.city);
  columns.asn.set(row, e.asn);
  columns.as_name.set(row, e.as_name);
  columns.browser.set(row, e.browser);
  columns.os.set(row, e.os);
  columns.device_type.set(row, e.device_type);
  columns.referrer_domain.set(row, e.referrer_domain);
  columns.referrer_class.set(row, e.referrer_class);
  columns.ai_operator.set(row, e.ai_operator);
}
