import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import type { Enrichment } from '../../../shared/requests/enriched-request.js';
import { decodeRawBlock } from '../../../shared/requests/raw-block-codec.js';
import type { RawBlock, RawRequest } from '../../../shared/requests/raw-request.js';
import { encodeBlockPrefix, encodeRow } from './encode-rows.js';

/** A range decoded, enriched and encoded: everything that its insert needs. */
export interface PreparedRange {
  readonly first: number;
  readonly last: number;
  readonly rows: number;
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
}

/**
 * Yields to the event loop between blocks: a range is some 150 ms of work, and the API shares the thread in the
 * standalone form.
 */
export async function prepareRange(
  records: readonly LogRecord[],
  { enrich, retentionDays }: PrepareDependencies,
): Promise<PreparedRange> {
  const bodies: Buffer[] = [];
  const dead: DeadRecord[] = [];
  let rows = 0;
  let uploadId = '';
  let receivedAt = Number.POSITIVE_INFINITY;
  for (const record of records) {
    try {
      const block = decodeRawBlock(record.value);
      if (rows === 0) uploadId = block.upload_id;
      const place = {
        partition: record.partition,
        offset: record.offset,
        retentionDays: retentionDays(block.website_id),
      };
      const prefix = encodeBlockPrefix(block, place);
      let body = '';
      block.requests.forEach((request, index) => {
        body += encodeRow(prefix, index, request, enrich(block, request));
      });
      bodies.push(Buffer.from(body));
      rows += block.requests.length;
      receivedAt = Math.min(receivedAt, block.received_at);
    } catch (error) {
      dead.push({ record, reason: error instanceof Error ? error.message : String(error) });
    }
    await nextTurn();
  }
  const first = records[0] as LogRecord;
  const last = records.at(-1) as LogRecord;
  return {
    first: first.offset,
    last: last.offset,
    rows,
    body: Buffer.concat(bodies),
    token: `requests.raw/${first.partition}/${first.offset}-${last.offset}/${uploadId}`,
    dead,
    receivedAt,
  };
}
