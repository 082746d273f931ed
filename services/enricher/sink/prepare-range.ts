import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import type { Enrichment } from '../../../shared/requests/enriched-request.js';
import { countRequests, decodeRawBlock } from '../../../shared/requests/raw-block-codec.js';
import type { RawBlock, RawRequest } from '../../../shared/requests/raw-request.js';
import { type BlockPlace, createRowsEncoder } from './encode-rows.js';

/** A range decoded, enriched and encoded: everything that its insert needs. */
export interface PreparedRange {
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  /** Requests that its records announce, those of dead ones too. */
  readonly requests: number;
  /** The rows in the Native format. */
  readonly body: Buffer;
  readonly token: string;
  readonly dead: readonly DeadRecord[];
  /** Earliest receipt in the range, ms since the epoch: freshness is measured from it. */
  readonly receivedAt: number;
}

export interface DeadRecord {
  readonly record: LogRecord;
  readonly reason: string;
}

export interface PrepareDependencies {
  enrich(block: RawBlock, request: RawRequest): Enrichment;
  retentionDays(websiteId: string): number;
  /** Its records may still come for as long as the log keeps them; nothing of them is stored. */
  isErased?(websiteId: string): boolean;
}

/**
 * Yields to the event loop between blocks: a range is some 150 ms of work, and the API shares the thread in the
 * standalone form.
 */
export async function prepareRange(
  records: readonly LogRecord[],
  { enrich, retentionDays, isErased }: PrepareDependencies,
): Promise<PreparedRange> {
  const requests = records.reduce((sum, { value }) => sum + countRequests(value), 0);
  const encoder = createRowsEncoder(requests);
  const dead: DeadRecord[] = [];
  let uploadId = '';
  let receivedAt = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const before = encoder.rows;
    try {
      const block = decodeRawBlock(record.value);
      if (block.requests.length > countRequests(record.value))
        throw new Error('more requests than announced');
      if (isErased?.(block.website_id)) continue;
      const place = placeOf(block, record, retentionDays(block.website_id));
      block.requests.forEach((request, index) => {
        encoder.add(place, index, request, enrich(block, request));
      });
      if (before === 0) uploadId = block.upload_id;
      receivedAt = Math.min(receivedAt, block.received_at);
    } catch (error) {
      // The store has all rows of a record or none.
      encoder.truncate(before);
      dead.push({ record, reason: error instanceof Error ? error.message : String(error) });
    }
    await nextTurn();
  }
  const first = records[0] as LogRecord;
  const last = records.at(-1) as LogRecord;
  return {
    first: first.offset,
    last: last.offset,
    rows: encoder.rows,
    requests,
    body: encoder.encode(),
    token: `requests.raw/${first.partition}/${first.offset}-${last.offset}/${uploadId}`,
    dead,
    receivedAt,
  };
}

function placeOf(block: RawBlock, record: LogRecord, retentionDays: number): BlockPlace {
  return {
    websiteId: block.website_id,
    source: block.source,
    receivedAt: block.received_at,
    partition: record.partition,
    offset: record.offset,
    retentionDays,
  };
}
