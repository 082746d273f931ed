import { setImmediate as tick } from 'node:timers/promises';
import { createPartitionSink, type PartitionSink } from '../../../services/enricher/sink/partition-sink.js';
import { plainRequest } from '../../../services/enricher/sink/plain-request.js';
import { encodeRecords } from '../../../services/enricher/sink/range/encode-records.js';
import type { RowsEncoder } from '../../../services/enricher/sink/range/encode-rows.js';
import { createRangeHold } from '../../../services/enricher/sink/range/hold-range.js';
import { leaveOut, startRange } from '../../../services/enricher/sink/range/prepare-range.js';
import {
  type KnownBlocks,
  namedBlocks,
  repeatsAmong,
} from '../../../services/enricher/sink/range/repeated-blocks.js';
import { createRangeSteps } from '../../../services/enricher/sink/range-steps/all-range-steps.js';
import type { Insertion } from '../../../services/enricher/sink/range-steps/insert-range.js';
import { createStoreAttempts } from '../../../services/enricher/sink/range-steps/store-attempts.js';
import { plainRecord, TRIAL_WEBSITE, trialPlace } from '../../../services/enricher/sink/trial-rows.js';
import { decodeStoredRecord } from '../../../shared/detection/arrival-codec.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import {
  type Commit,
  type LogRecord,
  LogUnavailableError,
  type NewRecord,
  StaleAssignmentError,
} from '../../../shared/event-log/event-log.js';
import { encodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { StoreUnavailableError } from '../../../shared/store/store-errors.js';
import { enrichEach } from '../enrich-each.js';
import { storedRequest } from '../stored-requests.js';

/**
 * The environment of a sink: a log, the group's commit that only the owner may write, and a store like the
 * engine.
 *
 * The store fills its tables in any order, since the engine computes views concurrently. Each table drops
 * parts whose token is among the last `window` that it stored; an insert makes a part for each month. An
 * insert continues after the death of its sender.
 */

export interface Given {
  /** The month of each row of each record; 'undecodable': the record is no block. */
  readonly records: readonly (readonly number[] | 'undecodable')[];
  /**
   * The upload name of each record. Records with one name and the same rows repeat each other. Default: no
   * names.
   */
  readonly uploads?: readonly (string | null)[];
  /** Offsets that the store refuses, in its second table: other tables may have the whole insert by then. */
  readonly refused: ReadonlySet<number>;
  readonly window: number;
  /** Offsets of named uploads' blocks that the store refuses to query, and to remember. */
  readonly unasked?: ReadonlySet<number>;
  readonly unremembered?: ReadonlySet<number>;
  /** How often the log refuses arrivals. */
  readonly arrivalsRefused?: number;
}

interface Row {
  readonly trial: boolean;
  readonly offset: number;
  readonly month: number;
}

/** Parts that inserts of other partitions add to every table, and the store's behaviour for this insert. */
export interface Fate {
  readonly others: number;
  /** Turns of the event loop that each table takes. */
  readonly slowness: number;
  /** Indexes of the tables in the order in which they are filled. */
  readonly order: readonly number[];
  /** Number of tables after which the store dies; null: it does not. */
  readonly diesAfter: number | null;
  /** The rows are stored, but the sender gets an error. */
  readonly answerLost: boolean;
}

/** The current time of this world. */
const SENT = 1_700_000_040_000;

const TABLES = ['requests', 'first rollup', 'second rollup'];

export const smooth: Fate = {
  others: 0,
  slowness: 0,
  order: [...TABLES.keys()],
  diesAfter: null,
  answerLost: false,
};

class RefusedError extends Error {
  readonly code = '395';
}

export function createWorld(given: Given) {
  const { records, uploads = [], refused, window } = given;
  const log = records.map((months, offset) =>
    toRecord(months, offset, uploads[offset] ?? null, intervalOf(given, offset)),
  );
  const tables = TABLES.map((name) => ({
    name,
    parts: [] as string[],
    offsets: new Map<number, number>(),
  }));
  const world = {
    log,
    tables,
    committed: null as Commit | null,
    owner: 0,
    deadLettered: new Set<number>(),
    /** Remembered blocks of named uploads, by offset. */
    remembered: new Map<number, ReturnType<typeof namedBlocks>[number]>(),
    /** Blocks that the store refuses to remember, by offset. */
    forgotten: new Set<number>(),
    /** Starts of the intervals that arrived. */
    arrived: new Set<number>(),
    /** Intervals of which some table had no row at their first arrival. */
    arrivedEarly: new Set<number>(),
    arrivalsRefused: given.arrivalsRefused ?? 0,
    /** Ranges that continued without their arrivals. */
    droppedArrivals: 0,
    now: SENT,
    running: new Set<Promise<void>>(),
    given,
    insert,
    takeArrival,
  };

  function takeArrival({ value }: NewRecord): void {
    const record = decodeStoredRecord(value);
    if (record.kind !== 'arrival') throw new Error('no arrival');
    for (const interval of record.arrival.intervals) {
      if (!world.arrived.has(interval) && !isStored(interval)) world.arrivedEarly.add(interval);
      world.arrived.add(interval);
    }
  }

  /** Whether every table has a row of the interval. */
  function isStored(interval: number): boolean {
    return tables.every(({ offsets }) =>
      [...offsets.keys()].some((offset) => intervalOf(given, offset) === interval),
    );
  }

  async function insert({ body, token }: Insertion, fate: Fate): Promise<void> {
    const rows = JSON.parse(body.toString()) as Row[];
    for (const [filled, place] of fate.order.entries()) {
      const table = tables[place]!;
      for (let turn = 0; turn < fate.slowness; turn += 1) await tick();
      if (fate.diesAfter === filled) throw new StoreUnavailableError('died');
      if (place === 1 && rows.some(({ offset }) => refused.has(offset))) {
        throw new RefusedError('no such row');
      }
      for (const month of new Set(rows.map((row) => row.month))) {
        addPart(
          table,
          `${token}/${month}`,
          rows.filter((row) => row.month === month),
        );
      }
      for (let other = 0; other < fate.others; other += 1) addPart(table, `other ${Math.random()}`, []);
    }
    if (fate.answerLost) throw new StoreUnavailableError('the answer was lost');
  }

  function addPart(table: (typeof tables)[number], id: string, rows: readonly Row[]): void {
    if (table.parts.includes(id)) return;
    table.parts.push(id);
    if (table.parts.length > window) table.parts.shift();
    for (const { trial, offset } of rows) {
      if (!trial) table.offsets.set(offset, (table.offsets.get(offset) ?? 0) + 1);
    }
  }

  return world;
}

export type World = ReturnType<typeof createWorld>;

/**
 * The start of the interval of a record's requests. Each record has its own, except that repeats have the
 * same.
 */
export function intervalOf({ records, uploads = [] }: Given, offset: number): number {
  const upload = uploads[offset] ?? null;
  const isAlike = (months: Given['records'][number], other: number) =>
    uploads[other] === upload && String(months) === String(records[offset]);
  const place = upload === null ? offset : records.findIndex(isAlike);
  return (Math.floor(SENT / INTERVAL_MS) - place) * INTERVAL_MS;
}

function toRecord(
  months: readonly number[] | 'undecodable',
  offset: number,
  upload: string | null,
  timestamp: number,
): LogRecord {
  const value =
    months === 'undecodable'
      ? Buffer.of(99, offset)
      : encodeRawBlock(
          {
            website_id: 'w',
            source: 'loglane',
            upload_id: `u${offset}`,
            received_at: 0,
            // The status contains the month, since all rows are of one day.
            requests: months.map((month) => plainRequest({ timestamp, status: 200 + month })),
          },
          upload === null ? null : { uploadKey: upload, index: 0 },
        );
  return { partition: 0, offset, key: 'w', appendedAt: 0, value };
}

/**
 * Rows in the form that this world's store reads.
 * @throws Error for rows beyond the capacity, which a real encoder loses
 */
function createEncoder(capacity: number): RowsEncoder {
  let rows: Row[] = [];
  return {
    get rows() {
      return rows.length;
    },
    add(place, { columns }, kept) {
      const trial = place.websiteId === TRIAL_WEBSITE;
      if (rows.length + kept.length > capacity) throw new Error('no room');
      for (const row of kept) rows.push({ trial, offset: place.offset, month: columns.status[row]! - 200 });
    },
    truncate(remaining) {
      rows = rows.slice(0, remaining);
    },
    encode: () => [Buffer.from(JSON.stringify(rows))],
  };
}

/** A step of a life, reported before it; the callback throws if the life ends there. */
export type Step =
  | 'plan'
  | 'planned'
  | 'dead-letter'
  | 'dead-lettered'
  | 'insert'
  | 'inserted'
  | 'refused'
  | 'remember'
  | 'remembered'
  | 'report'
  | 'reported'
  | 'done'
  | 'is done';

export interface LifeOptions {
  readonly maxRows: number;
  /** The weight at which ranges close while little was stored; default: `maxRows`. */
  readonly leastWeight?: number;
  readonly mostTrials?: number;
  /**
   * Its records arrive one after another, and each range is prepared as they arrive; default: all exist from
   * the start.
   */
  readonly grows?: boolean;
  /** Called before and after each step. A dying life throws, and then does nothing more. */
  onStep(step: Step): void;
  /** The fate of each next insert. */
  nextFate(): Fate;
}

export class Killed extends Error {}

export interface Life {
  /** Resolves when it has written everything, was killed, or has lost the partition. */
  readonly ended: Promise<void>;
  readonly sink: PartitionSink;
  /** Crashes other than being killed. */
  readonly crashes: Error[];
  /** Notifies it that another owner has the partition, possibly for some time already. */
  lose(): void;
}

let trials = 0;

/** A new owner of the partition. The former owner may continue, but cannot commit. */
export function startLife(world: World, options: LifeOptions): Life {
  const { maxRows, leastWeight = maxRows, mostTrials, grows = false, onStep, nextFate } = options;
  world.owner += 1;
  const me = world.owner;
  const lost = new AbortController();
  const crashes: Error[] = [];
  let dead = false;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const step = (name: Step) => {
    if (dead) throw new Killed(name);
    try {
      onStep(name);
    } catch (error) {
      dead = true;
      throw error;
    }
  };
  const commit = async (one: Commit) => {
    const planning = one.metadata !== '';
    step(planning ? 'plan' : 'done');
    await tick();
    if (world.owner !== me) throw new StaleAssignmentError('gone');
    world.committed = one;
    step(planning ? 'planned' : 'is done');
  };
  const insert = async (insertion: Insertion, signal: AbortSignal) => {
    step('insert');
    const running = world.insert(insertion, nextFate());
    const settled = running.catch(() => {}).finally(() => world.running.delete(settled));
    world.running.add(settled);
    let giveUp = () => {};
    const gone = new Promise<never>((_, reject) => {
      giveUp = () => reject(new Error('given up'));
      signal.addEventListener('abort', giveUp, { once: true });
    });
    try {
      await Promise.race([running, gone]);
    } catch (error) {
      if (error instanceof RefusedError) step('refused');
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    step('inserted');
  };
  const deadLetter = async (found: readonly { record: LogRecord }[]) => {
    step('dead-letter');
    await tick();
    for (const { record } of found) world.deadLettered.add(record.offset);
    step('dead-lettered');
  };
  const memory: KnownBlocks = {
    async findRepeats(some) {
      await tick();
      if (some.some(({ offset }) => world.given.unasked?.has(offset))) throw new RefusedError('no question');
      const [first] = some;
      // A plan may leave out every record of its range.
      if (first === undefined) return new Set();
      const before = [...world.remembered.values()].filter(({ offset }) => offset < first.offset);
      return repeatsAmong(namedBlocks(some), before);
    },
    async remember(some) {
      step('remember');
      await tick();
      if (some.some(({ offset }) => world.given.unremembered?.has(offset)))
        throw new RefusedError('no such block');
      for (const block of namedBlocks(some)) if (block.offset >= 0) world.remembered.set(block.offset, block);
      step('remembered');
    },
  };
  const log = {
    async append(_topic: string, arrivals: readonly NewRecord[]) {
      step('report');
      await tick();
      world.arrivalsRefused -= 1;
      if (world.arrivalsRefused >= 0) throw new LogUnavailableError('away');
      for (const arrival of arrivals) world.takeArrival(arrival);
      step('reported');
      return [];
    },
  };
  const row = storedRequest({ website_id: 'w', timestamp: 0 });
  const enrich = enrichEach(() => row);
  const encoding = { enrich, retentionDays: () => 30, now: () => SENT, createEncoder };
  const encodeTrial = async (records: readonly LogRecord[]) => {
    const { body, rows } = await encodeRecords(records, { ...encoding, placeOf: trialPlace });
    trials += 1;
    return { body, rows, token: `trial/${trials}` };
  };
  const total = world.log.length;
  const sink = createPartitionSink(world.committed, {
    limits: { maxRows, leastWeight, maxBytes: 1e9, lingerMs: 1, ...(grows && { growsFromWeight: 1 }) },
    startRange: (plan, mostRows) => startRange(plan, mostRows, encoding),
    commit,
    createSteps(stopping) {
      const hold = createRangeHold({ commit, lost: lost.signal, stopping });
      return createRangeSteps({
        memory,
        hold,
        log,
        now: () => world.now,
        attempts: createStoreAttempts({
          hold,
          answers: async () => true,
          delays: { firstMs: 0, longestMs: 0 },
          ...(mostTrials === undefined ? {} : { mostTrials }),
        }),
        insert,
        deadLetter,
        leaveOut: (range, offsets) => leaveOut(range, offsets, encoding),
        encodeTrial,
        plainRecord: () => ({ ...plainRecord(0), offset: -1 }),
        lost: lost.signal,
        onInsertFailure: () => {},
        onKnownBlocksFailure: () => {},
        onArrivalFailure: () => {},
        onArrivalsDropped: () => {
          world.droppedArrivals += 1;
        },
        onForgotten: (refused) => {
          for (const { record } of refused) world.forgotten.add(record.offset);
        },
      });
    },
    onWritten: (range) => {
      if (range.plan.last === total - 1) end();
    },
    onVoid: () => {},
    onCrash(error) {
      if (!(error instanceof Killed)) crashes.push(error);
      end();
    },
  });
  const from = world.committed?.offset ?? 0;
  const rest = world.log.slice(from);
  void (grows ? pushEach(sink, rest) : sink.push(rest));
  if (from === total) end();
  return { ended, sink, crashes, lose: () => lost.abort() };
}

async function pushEach(sink: PartitionSink, records: readonly LogRecord[]): Promise<void> {
  for (const record of records) {
    await sink.push([record]);
    await tick();
  }
}
