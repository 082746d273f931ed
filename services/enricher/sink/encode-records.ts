import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import type { ColumnBlock } from '../../../shared/requests/columns/column-block-codec.js';
import { countRequests, decodeColumnBlock } from '../../../shared/requests/raw-block-codec.js';
import type { EnrichBlock, EnrichedBlock } from '../enriched-block.js';
import { addressDaysOf, everything, isKept, type KeptOfVisitors } from '../kept-of-visitors.js';
import type { SignalGatherer, WebsiteMinutes } from '../signals/gather-signals.js';
import { takeBodyMemory } from './body-memory.js';
import type { BlockPlace, RowsEncoder } from './encode-rows.js';
import { type DeadRecord, findCulprits } from './find-culprits.js';
import { inTurns } from './in-turns.js';
import { joinPieces } from './join-pieces.js';
import { giveEncoderBack, takeEncoder } from './kept-encoders.js';
import { overLimit, rowsOf } from './record-limits.js';

/** Records decoded, enriched and encoded as rows of the table `requests`. */
export interface EncodedRecords {
  readonly rows: number;
  /** The rows in the Native format. Its memory may be used again once it is given back (body-memory.ts); who does not give it back lets it go. */
  readonly body: Buffer;
  readonly dead: readonly DeadRecord[];
  /** Whose rows they are. */
  readonly websiteIds: ReadonlySet<string>;
  /** Earliest receipt, milliseconds since the epoch; infinite where there are no rows. */
  readonly receivedAt: number;
  /** What the rows say of each website, for the detector. */
  readonly signals: readonly WebsiteMinutes[];
  /** Requests of people that their websites do not take. */
  readonly dropped: number;
  /** Of the first block that has rows; ''. */
  readonly uploadId: string;
}

export interface EncodeDependencies {
  readonly enrich: EnrichBlock;
  retentionDays(websiteId: string): number;
  /** What the website keeps of its visitors; absent: everything. */
  privacyOf?(websiteId: string): KeptOfVisitors;
  /** Its records may still come for as long as the log keeps them; nothing of them is stored. */
  isErased?(websiteId: string): boolean;
  /** For tests of what can't go wrong any more. */
  readonly createEncoder?: (capacity: number) => RowsEncoder;
  /** Makes what gathers the signals of the rows; absent: there are none, as of a trial. */
  readonly createGatherer?: () => SignalGatherer;
  /** Where the rows of a block stand; default: where its record stands in the log. */
  readonly placeOf?: (place: BlockPlace) => BlockPlace;
}

/** From so many rows on the event loop turns within a block too: 2,000 rows are some 5 ms of work. */
const LARGE_BLOCK_ROWS = 500;

/**
 * Never throws for what a record holds: one that can't be decoded, enriched or encoded is dead as a whole. Yields to the event
 * loop between blocks, within large ones, and between columns: a range is some 100 ms of work, and the API shares the thread in the standalone form.
 */
export async function encodeRecords(
  records: readonly LogRecord[],
  deps: EncodeDependencies,
): Promise<EncodedRecords> {
  const { encoder, facts } = await fill(records, deps);
  try {
    return { ...facts, ...(await encodeAll(encoder)) };
  } catch (error) {
    const culprits = await findCulprits(records, {
      async reasonAgainst(some) {
        const { encoder } = await fill(some, deps);
        try {
          await encodeAll(encoder);
          return null;
        } catch (cause) {
          return messageOf(cause);
        }
      },
    });
    if (culprits.length === 0) throw error;
    const guilty = new Set(culprits.map(({ record }) => record));
    const rest = await encodeRecords(
      records.filter((record) => !guilty.has(record)),
      deps,
    );
    return { ...rest, dead: [...rest.dead, ...culprits] };
  }
}

/** The encoder is not to be used any more. One that throws is let go: nobody knows what it holds. */
async function encodeAll(encoder: RowsEncoder): Promise<Pick<EncodedRecords, 'rows' | 'body'>> {
  const { rows } = encoder;
  const body = await joinPieces(encoder.encode(), takeBodyMemory);
  giveEncoderBack(encoder);
  return { rows, body };
}

async function fill(records: readonly LogRecord[], deps: EncodeDependencies) {
  const { enrich, retentionDays, createEncoder = takeEncoder, placeOf = asItStands } = deps;
  const encoder = createEncoder(records.reduce((sum, { value }) => sum + rowsOf(value), 0));
  const gatherer = deps.createGatherer?.();
  const dead: DeadRecord[] = [];
  const websiteIds = new Set<string>();
  let dropped = 0;
  let uploadId = '';
  let receivedAt = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const before = encoder.rows;
    try {
      const block = decode(record.value);
      if (deps.isErased?.(block.website_id)) continue;
      const kept = deps.privacyOf?.(block.website_id) ?? everything;
      const keptDays = retentionDays(block.website_id);
      const place = placeOf({
        websiteId: block.website_id,
        source: block.source,
        receivedAt: block.received_at,
        partition: record.partition,
        offset: record.offset,
        retentionDays: keptDays,
        addressDays: addressDaysOf(kept, keptDays),
      });
      const enriched = enrich(block);
      const isLarge = block.columns.rows >= LARGE_BLOCK_ROWS;
      if (isLarge) await nextTurn();
      // A place in the block is what it is, whatever stands before it is kept or not.
      const rows = keptRows(kept, enriched);
      encoder.add(place, enriched, rows);
      if (isLarge) await nextTurn();
      dropped += block.columns.rows - rows.length;
      if (rows.length > 0) {
        // Of a whole record or of nothing, as its rows are.
        gatherer?.add(block.website_id, enriched, rows);
        websiteIds.add(block.website_id);
        if (before === 0) uploadId = block.upload_id;
        receivedAt = Math.min(receivedAt, block.received_at);
      }
    } catch (error) {
      // The store has all rows of a record or none.
      encoder.truncate(before);
      dead.push({ record, reason: messageOf(error) });
    }
    await nextTurn();
  }
  const signals = gatherer === undefined ? [] : await inTurns(gatherer.signals());
  return { encoder, facts: { dead, dropped, websiteIds, uploadId, receivedAt, signals } };
}

const asItStands = (place: BlockPlace) => place;

function keptRows(kept: KeptOfVisitors, { columns, judgement }: EnrichedBlock): Uint32Array {
  const isTaken = judgement.values.map((judged) => isKept(kept, judged));
  const all = new Uint32Array(columns.rows).map((_, row) => row);
  return isTaken.every(Boolean) ? all : all.filter((row) => isTaken[judgement.ids[row]!]!);
}

function decode(value: Buffer): ColumnBlock {
  const tooMuch = overLimit(value);
  if (tooMuch !== null) throw new Error(tooMuch);
  const block = decodeColumnBlock(value);
  if (block.columns.rows > countRequests(value)) throw new Error('more requests than announced');
  return block;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
