import { LRUCache } from 'lru-cache';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { createTurns } from '../../../shared/pacing/turns.js';
import type { Dictionaries } from '../../../shared/reads/hours/dictionary.js';
import { foldRows, type Slice } from '../../../shared/reads/hours/fold-rows.js';
import type { KeptRollup } from '../../../shared/reads/hours/kept-rollups.js';
import { questionOf } from '../../../shared/reads/hours/question.js';
import type { RowBlock } from '../../../shared/reads/hours/row-block.js';
import { type Span, spansOf } from '../../../shared/reads/hours/spans.js';
import { UnknownStateError } from '../../../shared/reads/hours/state-fold.js';
import type { ReaderWithHours } from '../../../shared/reads/sql/kept-hours.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { AnswerTooLongError, isTooMuchForOneRead } from '../../../shared/store/store-errors.js';
import type { Payer } from '../limits/share-reads.js';
import { type AdmissionOptions, createAdmission } from './admit-reads.js';
import {
  type BlockCacheOptions,
  createBlockCache,
  type Filled,
  LARGEST_SHARE,
  type Planned,
  slicesOf,
  type Website,
} from './block-cache.js';
import { fillHours, inOrder, type Pace, type WantedPart } from './fill-hours.js';
import { createFillReader, type FillReader, TooManyFillsError } from './join-fills.js';

/**
 * Keeps rows of rollups by website and time. An hour that a window cuts has rows by minute or by ten seconds. Reads fold them without a
 * statement (docs/decisions/032-hours-in-memory.md). Changed rows are read again, once for all reads of their version.
 */

/** Most rows of a read: folding them takes this process some tens of milliseconds. */
const MOST_ROWS = 500_000;
/** After a read that was too large, the engine answers for this time. Reads of at most half as many hours are tried. */
const TRY_AGAIN_MS = 10 * MINUTE_MS;
const MOST_TOO_LARGE = 10_000;

export interface HoursKeeper {
  /**
   * @param reader of one call
   * @param payer its organisation
   */
  withHours(reader: ClickHouseReader, payer: Payer): ReaderWithHours;
  /** Memory of the kept rows. */
  bytes(): number;
}

interface Reading {
  readonly payer: Payer;
  readonly website: Website;
  readonly rollup: KeptRollup;
  /** Name of the rollup and the website. */
  readonly name: string;
  readonly hours: number;
  readonly pace: Pace;
  readonly budget: ReturnType<typeof createBudget>;
}

export interface HoursKeeperOptions extends BlockCacheOptions, Pick<AdmissionOptions, 'readsBefore'> {
  /** Reads hours for all calls: it must not end with a call. */
  readonly filler: ClickHouseReader;
}

/** The keeper of all calls of this process. */
export function createHoursKeeper(options: HoursKeeperOptions): HoursKeeper {
  const { now, maxBytes } = options;
  const cache = createBlockCache(options);
  const filler = createFillReader(options.filler);
  const filling = new Map<string, { readonly version: number; readonly filled: Promise<Filled> }>();
  const tooLarge = new LRUCache<string, number>({ max: MOST_TOO_LARGE, ttl: TRY_AGAIN_MS, perf: { now } });
  const admits = createAdmission({ ...options, hasRoom: cache.hasRoom });

  /** @param after the statement before. If it fails, this one is not sent. */
  function start(reading: Reading, parts: WantedPart[], after: Promise<unknown>) {
    const filled = after.then(() => fillAndKeep(filler, cache, reading, parts));
    for (const one of parts) filling.set(nameOf(one), { version: one.version, filled });
    const end = () => {
      for (const one of parts) if (filling.get(nameOf(one))?.filled === filled) filling.delete(nameOf(one));
    };
    filled.then(end, (error: unknown) => {
      end();
      if (isTooMuchToKeep(error)) tooLarge.set(reading.name, reading.hours);
    });
    return filled;
  }

  /** Waits for parts that are being read, and reads the others. The memory of a read is bounded, so its statements follow each other. */
  function fill(reading: Reading, planned: readonly Planned[]): Promise<Filled[]> {
    const reads = new Set<Promise<Filled>>();
    const own = new Map<string, WantedPart>();
    for (const { name, span, missing } of planned) {
      for (const { part, version } of missing) {
        const one = { name, start: span.start, unit: span.unit, part, version };
        const running = filling.get(nameOf(one));
        if (running?.version === version) reads.add(running.filled);
        else own.set(nameOf(one), one);
      }
    }
    let last: Promise<unknown> = Promise.resolve();
    for (const wanted of inOrder(reading.rollup, [...own.values()])) {
      const filled = start(reading, wanted, last);
      reads.add(filled);
      last = filled;
    }
    return Promise.all(reads);
  }

  /** null: the engine must answer. */
  async function load(payer: Payer, websiteId: string, rollup: KeptRollup, spans: readonly Span[]) {
    const name = `${rollup.rollup.hourTable}\n${websiteId}`;
    const hours = spans.reduce((sum, { unit, from, to }) => sum + ((to - from) * unit) / HOUR_MS, 0);
    if (hours > (tooLarge.get(name) ?? Number.POSITIVE_INFINITY) / 2) return null;
    const plan = cache.plan(websiteId, rollup, spans);
    if (plan === null || !admits(plan, { name, hours, rollup })) return null;
    const { website, planned } = plan;
    cache.begin(website);
    const { dictionaries } = website;
    const budget = createBudget(dictionaries, maxBytes);
    const reading = { payer, website, rollup, name, hours, pace: new Map(), budget };
    let filled: Filled[];
    try {
      filled = await fill(reading, planned);
    } catch (error) {
      if (canNotKeep(error)) return null;
      throw error;
    }
    const slices = slicesOf(planned, filled);
    if (!isTooLarge(slices, maxBytes)) return slices;
    tooLarge.set(name, hours);
    return null;
  }

  return {
    bytes: cache.bytes,
    withHours: (reader, payer) => ({
      ...reader,
      keptHours: {
        async listsOf(scope, selection, resolved) {
          const question = questionOf(scope, selection, resolved);
          const spans = question === null ? null : spansOf(question.kept, scope.window, question.compared);
          if (question === null || spans === null) return null;
          const slices = await load(payer, scope.websiteId, question.kept, spans);
          return slices === null ? null : foldRows(question, slices, createTurns());
        },
      },
    }),
  };
}

async function fillAndKeep(
  filler: FillReader,
  cache: ReturnType<typeof createBlockCache>,
  { payer, website, rollup, pace, budget }: Reading,
  parts: readonly WantedPart[],
): Promise<Filled> {
  const { websiteId, dictionaries } = website;
  try {
    const options = { websiteId, payer, rollup, dictionaries, pace, parts, onPacked: budget.spend };
    const filled = await fillHours(filler, options);
    await cache.put(website, rollup, filled);
    return filled;
  } finally {
    cache.recount(website);
  }
}

const nameOf = ({ name, part }: Pick<WantedPart, 'name' | 'part'>) => `${part}\n${name}`;

/** The engine folds the rows itself. */
function canNotKeep(error: unknown): boolean {
  return isTooMuchToKeep(error) || error instanceof TooManyFillsError;
}

/** There are too many rows, or a later release of the engine has other states. */
function isTooMuchToKeep(error: unknown): boolean {
  return isTooMuchForOneRead(error) || error instanceof UnknownStateError;
}

function isTooMuch(bytes: number, rows: number, maxBytes: number): boolean {
  return bytes > maxBytes / LARGEST_SHARE || rows > MOST_ROWS;
}

function isTooLarge(slices: readonly Slice[], maxBytes: number): boolean {
  const blocks = [...new Set(slices.map(({ block }) => block))];
  const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
  const rows = slices.reduce((sum, { block, from, to }) => sum + block.starts[to]! - block.starts[from]!, 0);
  return isTooMuch(bytes, rows, maxBytes);
}

/** Limits the blocks that one read packs. */
function createBudget(dictionaries: Dictionaries, maxBytes: number) {
  // The new values of this read take memory, too.
  const known = dictionaries.bytes();
  let bytes = 0;
  let rows = 0;
  return {
    /** @throws AnswerTooLongError */
    spend(block: RowBlock): void {
      bytes += block.bytes;
      rows += block.starts.at(-1)!;
      const all = bytes + dictionaries.bytes() - known;
      if (isTooMuch(all, rows, maxBytes) || dictionaries.bytes() > maxBytes / LARGEST_SHARE)
        throw new AnswerTooLongError('the hours have too many rows');
    },
  };
}
