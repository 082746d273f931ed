import type { RawRequest } from '../raw-request.js';
import {
  byTextName,
  NONE,
  narrowIds,
  type RequestColumns,
  type TextColumn,
  textNames,
} from './request-columns.js';

/** Gathers requests that were decoded one by one as columns of a reader. */
export interface ColumnGatherer {
  readonly rows: number;
  /** @throws RangeError where a number does not fit, and past the capacity; the request is not there then. */
  add(request: RawRequest): void;
  /** What was gathered; the gatherer is empty then. */
  take(): RequestColumns;
}

interface GrowingText {
  readonly keys: Map<string, number>;
  readonly ids: Uint32Array;
  last: string;
  lastId: number;
}

/** @param capacity most rows */
export function createColumnGatherer(capacity: number): ColumnGatherer {
  const timestamp = new Float64Array(capacity);
  const status = new Uint16Array(capacity);
  const bytesSent = new Float64Array(capacity);
  const timeTaken = new Uint32Array(capacity);
  const asn = new Uint32Array(capacity);
  let columns = textNames.map(() => growing(capacity));
  let rows = 0;

  function setText(column: GrowingText, text: string): void {
    // Neighbours are often equal, and comparing costs less than hashing.
    if (text !== column.last || column.keys.size === 0) {
      let id = column.keys.get(text);
      if (id === undefined) {
        id = column.keys.size;
        column.keys.set(text, id);
      }
      column.last = text;
      column.lastId = id;
    }
    column.ids[rows] = column.lastId;
  }

  return {
    get rows() {
      return rows;
    },
    add(request) {
      if (rows === capacity) throw new RangeError(`more than ${capacity} requests`);
      timestamp[rows] = within('timestamp', request.timestamp, Number.MAX_SAFE_INTEGER);
      status[rows] = within('status', request.status, 2 ** 16 - 1);
      bytesSent[rows] = within('bytes_sent', request.bytes_sent, Number.MAX_SAFE_INTEGER);
      timeTaken[rows] = within('time_taken_ms', request.time_taken_ms ?? NONE, NONE);
      asn[rows] = within('source_asn', request.source_asn ?? NONE, NONE);
      setText(columns[0]!, request.client_ip);
      setText(columns[1]!, request.method);
      setText(columns[2]!, request.host);
      setText(columns[3]!, request.target);
      setText(columns[4]!, request.protocol);
      setText(columns[5]!, request.user_agent);
      setText(columns[6]!, request.referrer);
      setText(columns[7]!, request.request_id);
      setText(columns[8]!, request.content_type);
      setText(columns[9]!, request.cache_status);
      setText(columns[10]!, request.source_country);
      setText(columns[11]!, request.cdn_bot_category);
      rows += 1;
    },
    take() {
      const taken: RequestColumns = {
        rows,
        timestamp: timestamp.slice(0, rows),
        status: status.slice(0, rows),
        bytes_sent: bytesSent.slice(0, rows),
        time_taken_ms: timeTaken.slice(0, rows),
        source_asn: asn.slice(0, rows),
        texts: byTextName((name) => settled(columns[textNames.indexOf(name)]!, rows)),
      };
      columns = columns.map(({ ids }) => growing(capacity, ids));
      rows = 0;
      return taken;
    },
  };
}

/** Where a typed array would wrap it, it would come back as another number. */
function within(name: string, value: number, most: number): number {
  if (value >= 0 && value <= most && Number.isInteger(value)) return value;
  throw new RangeError(`${name} ${value} does not fit into its column`);
}

function growing(capacity: number, ids: Uint32Array = new Uint32Array(capacity)): GrowingText {
  return { keys: new Map(), ids, last: '', lastId: 0 };
}

function settled({ keys, ids }: GrowingText, rows: number): TextColumn {
  return { texts: [...keys.keys()], ids: narrowIds(ids.subarray(0, rows), keys.size) };
}
