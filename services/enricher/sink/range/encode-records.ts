import type { DataChange } from '../../../../shared/changes/data-change.js';
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

/** Records as encoded rows of the table `requests`. */
export interface EncodedRecords {
  readonly rows: number;
  /**
   * The rows in the Native format. Its memory is reused after it is given back, which is optional
   * (body-memory.ts).
   */
  readonly body: Buffer;
  readonly dead: readonly DeadRecord[];
  /** The websites and hours of the rows; none for a trial. */
  readonly changes: readonly DataChange[];
  /** Earliest receipt, milliseconds since the epoch; infinite without rows. */
  readonly receivedAt: number;
  /** The websites and intervals of the rows, for the detector. */
  readonly arrivals: readonly GatheredArrival[];
  /** Requests of people that their websites do not accept. */
  readonly dropped: number;
}

export interface EncodeDependencies {
  readonly enrich: EnrichBlock;
  retentionDays(websiteId: string): number;
  /** Which data the website stores about its visitors; absent: everything. */
  privacyOf?(websiteId: string): KeptOfVisitors;
  /** Records of an erased website can arrive until retention deletes them. Nothing of them is stored. */
  isErased?(websiteId: string): boolean;
  /** For tests of errors that no input can cause. */
  readonly createEncoder?: (capacity: number) => RowsEncoder;
  /** Creates the gatherer of the rows' arrivals and hours; absent for a trial, which has none. */
  readonly createGatherer?: () => ArrivalGatherer;
  /** The position of a block's rows; default: the position of its record in the log. */
  readonly placeOf?: (place: BlockPlace) => BlockPlace;
}

/**
 * Time between turns of the event loop; one step may take some milliseconds more. A full range takes about
 * 150 ms, and in standalone form the API and ingest share the thread. A range has about 70 steps. A yield after
 * each one would be slow: at full load ingest runs for milliseconds at each yield.
 */
const TURN_MS = 1;

/** Decodes, enriches and encodes records one after another, as they arrive. */
export interface RecordsEncoding {
  /**
   * One call at a time. It never throws for a record's content: a record that cannot be decoded, enriched or
   * encoded is dead as a whole.
   */
  add(record: LogRecord): Promise<void>;
  /** Nothing may be added afterwards. */
  end(): Promise<EncodedRecords>;
}

/** @param mostRows upper bound of the rows of all records */
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

/** {@link startEncoding} for a complete list of records. */
export async function encodeRecords(
  records: readonly LogRecord[],
  deps: EncodeDependencies,
): Promise<EncodedRecords> {
  const encoding = startEncoding(mostRowsOf(records), deps);
  for (const record of records) await encoding.add(record);
  return encoding.end();
}

/** @param cause thrown if no record is at fault */
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
  let dropped = 0;
  let receivedAt = Number.POSITIVE_INFINITY;

  async function addBlock({ value, partition, offset }: LogRecord): Promise<void> {
    const block = decode(value);
    if (deps.isErased?.(block.website_id)) return;
    const kept = deps.privacyOf?.(block.website_id) ?? everything;
    const days = retentionDays(block.website_id);
    const place = placeOf({
      websiteId: block.website_id,
      source: block.source,
      receivedAt: block.received_at,
      partition,
      offset,
      retentionDays: days,
      addressDays: addressDaysOf(kept, days),
    });
    const enriched = enrich(block);
    await giveTurn();
    // A row's index in the block does not depend on which rows before it are stored.
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
    /** If it throws, the encoder is not reused, since its content is undefined. */
    async encode(): Promise<EncodedRecords> {
      const { rows } = encoder;
      const body = await joinPieces(encoder.encode(), takeBodyMemory, giveTurn);
      giveEncoderBack(encoder);
      const [arrivals, changes] = [gatherer?.arrivals() ?? [], gatherer?.changes() ?? []];
      return { rows, body, dead, dropped, receivedAt, arrivals, changes };
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
