import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import { createTurns } from '../../../../shared/pacing/turns.js';
import type { ColumnBlock } from '../../../../shared/requests/columns/column-block-codec.js';
import { countRequests, decodeColumnBlock } from '../../../../shared/requests/columns/raw-block-codec.js';
import type { EnrichBlock, EnrichedBlock } from '../../block/enriched-block.js';
import { addressDaysOf, everything, isKept, type KeptOfVisitors } from '../../block/kept-of-visitors.js';
import { takeBodyMemory } from './body-memory.js';
import type { BlockPlace, RowsEncoder } from './encode-rows.js';
import { type DeadRecord, findCulprits } from './find-culprits.js';
import type { ArrivalGatherer, GatheredArrival } from './gather-arrivals.js';
import { joinPieces } from './join-pieces.js';
import { giveEncoderBack, takeEncoder } from './kept-encoders.js';
import { mostRowsOf, overLimit } from './record-limits.js';

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
  /** The websites and intervals of the rows, for the detector. */
  readonly arrivals: readonly GatheredArrival[];
  /** Requests of people that their websites do not take. */
  readonly dropped: number;
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
  /** Makes the gatherer of the rows' arrivals; absent: there are none, as of a trial. */
  readonly createGatherer?: () => ArrivalGatherer;
  /** Where the rows of a block stand; default: where its record stands in the log. */
  readonly placeOf?: (place: BlockPlace) => BlockPlace;
}

/**
 * After so much work the event loop may turn; one step may take some milliseconds more. A full range is some 150 ms of work, and the API and
 * ingest share the thread in the standalone form. Not after each step: a range has some 70 columns and pieces to copy, and at full load ingest
 * holds the loop for milliseconds each time that it gets it.
 */
const TURN_MS = 1;

/** Records that are decoded, enriched and encoded one after another, as they come. */
export interface RecordsEncoding {
  /** One at a time. Never throws for what the record holds: one that can't be decoded, enriched or encoded is dead as a whole. */
  add(record: LogRecord): Promise<void>;
  /** Nothing may be added any more. */
  end(): Promise<EncodedRecords>;
}

/** @param mostRows that all records together can become; more may not be added */
export function startEncoding(mostRows: number, deps: EncodeDependencies): RecordsEncoding {
  const records: LogRecord[] = [];
  const { add, encode } = openEncoding(mostRows, deps);
  return {
    add(record) {
      records.push(record);
      return add(record);
    },
    async end() {
      try {
        return await encode();
      } catch (error) {
        return encodeWithoutCulprits(records, deps, error);
      }
    },
  };
}

/** As {@link startEncoding} does, of records that are all there. */
export async function encodeRecords(
  records: readonly LogRecord[],
  deps: EncodeDependencies,
): Promise<EncodedRecords> {
  const encoding = startEncoding(mostRowsOf(records), deps);
  for (const record of records) await encoding.add(record);
  return encoding.end();
}

/** @param cause what is thrown where no record is at fault */
async function encodeWithoutCulprits(
  records: readonly LogRecord[],
  deps: EncodeDependencies,
  cause: unknown,
): Promise<EncodedRecords> {
  const culprits = await findCulprits(records, {
    async reasonAgainst(some) {
      const { add, encode } = openEncoding(mostRowsOf(some), deps);
      for (const record of some) await add(record);
      return encode().then(() => null, messageOf);
    },
  });
  if (culprits.length === 0) throw cause;
  const guilty = new Set(culprits.map(({ record }) => record));
  const rest = await encodeRecords(
    records.filter((record) => !guilty.has(record)),
    deps,
  );
  return { ...rest, dead: [...rest.dead, ...culprits] };
}

function openEncoding(mostRows: number, deps: EncodeDependencies) {
  const { enrich, retentionDays, createEncoder = takeEncoder, placeOf = asItStands } = deps;
  const encoder = createEncoder(mostRows);
  const gatherer = deps.createGatherer?.();
  const giveTurn = createTurns({ milliseconds: TURN_MS });
  const dead: DeadRecord[] = [];
  const websiteIds = new Set<string>();
  let dropped = 0;
  let receivedAt = Number.POSITIVE_INFINITY;

  async function addBlock({ value, partition, offset }: LogRecord): Promise<void> {
    const block = decode(value);
    if (deps.isErased?.(block.website_id)) return;
    const kept = deps.privacyOf?.(block.website_id) ?? everything;
    const keptDays = retentionDays(block.website_id);
    const place = placeOf({
      websiteId: block.website_id,
      source: block.source,
      receivedAt: block.received_at,
      partition,
      offset,
      retentionDays: keptDays,
      addressDays: addressDaysOf(kept, keptDays),
    });
    const enriched = enrich(block);
    await giveTurn();
    // A place in the block is what it is, whatever stands before it is kept or not.
    const rows = keptRows(kept, enriched);
    encoder.add(place, enriched, rows);
    await giveTurn();
    dropped += block.columns.rows - rows.length;
    if (rows.length === 0) return;
    gatherer?.add({
      websiteId: block.website_id,
      receivedAt: block.received_at,
      hasPendingClaims: enriched.judgement.values.some(({ bot_verification: claim }) => claim === 'pending'),
      timestamp: block.columns.timestamp,
      rows,
    });
    websiteIds.add(block.website_id);
    receivedAt = Math.min(receivedAt, block.received_at);
  }

  return {
    async add(record: LogRecord): Promise<void> {
      const before = encoder.rows;
      try {
        await addBlock(record);
      } catch (error) {
        // The store has all rows of a record or none.
        encoder.truncate(before);
        dead.push({ record, reason: messageOf(error) });
      }
      await giveTurn();
    },
    /** One that throws lets its encoder go: nobody knows what that holds. */
    async encode(): Promise<EncodedRecords> {
      const { rows } = encoder;
      const body = await joinPieces(encoder.encode(), takeBodyMemory, giveTurn);
      giveEncoderBack(encoder);
      return { rows, body, dead, dropped, websiteIds, receivedAt, arrivals: gatherer?.arrivals() ?? [] };
    },
  };
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
