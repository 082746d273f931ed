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
import { createBlockCache, type Filled, type PlannedSpan, slicesOf } from './block-cache.js';
import { type BlockMemoryOptions, READ_SHARE, type WebsiteMemory } from './block-memory.js';
import type { RowSource } from './count-reads.js';
import { fillHours, fillOrder, type Pace, type WantedPart } from './fill-hours.js';
import { createFillReader, type FillReader, TooManyFillsError } from './join-fills.js';

/**
 * Keeps rows of rollups by website and time, so that reads fold them without a statement (docs/decisions/032-hours-in-memory.md). Changed
 * rows are read again, once for all reads of their version. shared/reads/hours/row-block.ts explains the words of this folder. A read takes
 * this way:
 * 1. `questionOf` and `spansOf` find the rollup and the spans that answer it (shared/reads/hours).
 * 2. `plan` finds their blocks in memory, and the missing parts (block-cache.ts).
 * 3. `createAdmission` decides whether the missing parts are read (admit-reads.ts).
 * 4. `fillHours` reads them (fill-hours.ts), together with those of other websites (join-fills.ts), and packs them into blocks.
 * 5. `foldRows` folds the slices (shared/reads/hours).
 */

/** Most rows of a read: folding them takes this process some tens of milliseconds. */
const MOST_ROWS = 500_000;
/** After a read that was too large, the engine answers for this time. Reads of at most half as many hours are tried. */
const TRY_AGAIN_MS = 10 * MINUTE_MS;
/** Rollups of websites that are remembered as too large. */
const MOST_TOO_LARGE = 10_000;

export interface HoursKeeper {
  /**
   * @param reader of one call
   * @param payer its organisation
   */
  withHours(reader: ClickHouseReader, payer: Payer): ReaderWithHours;
  /** Memory of the kept rows, in bytes. */
  bytes(): number;
}

/** A read of one rollup of a website. */
interface Reading {
  readonly payer: Payer;
  readonly website: WebsiteMemory;
  readonly rollup: KeptRollup;
  /** Name of the rollup and the website. */
  readonly name: string;
  /** Length of its windows together, in hours. */
  readonly hours: number;
  readonly pace: Pace;
  readonly budget: Budget;
}

export interface HoursKeeperOptions extends BlockMemoryOptions, Pick<AdmissionOptions, 'readsBefore'> {
  /** The reader of fills. They serve several calls, so they must not end with one of them. */
  readonly filler: ClickHouseReader;
  /** Called for each read of a rollup whose rows may be kept. */
  readonly onRead: (source: RowSource) => void;
}

/** Creates the one keeper of a process: all calls share its rows. */
export function createHoursKeeper(options: HoursKeeperOptions): HoursKeeper {
  const { now, maxBytes, onRead } = options;
  const cache = createBlockCache(options);
  const filler = createFillReader(options.filler);
  const tooLarge = new LRUCache<string, number>({ max: MOST_TOO_LARGE, ttl: TRY_AGAIN_MS, perf: { now } });
  const refusal = createAdmission({ ...options, hasRoom: cache.hasRoom });
  const fill = createSharedFills(
    (reading, parts) => fillAndKeep(filler, cache, reading, parts),
    ({ name, hours }, error) => {
      if (isUnkeepable(error)) tooLarge.set(name, hours);
    },
  );

  /** Slices with the rows of the spans, or the reason why the engine must answer. */
  async function slicesFor(
    payer: Payer,
    websiteId: string,
    rollup: KeptRollup,
    spans: readonly Span[],
  ): Promise<Slice[] | Exclude<RowSource, 'memory'>> {
    const name = `${rollup.rollup.hourTable}\n${websiteId}`;
    const hours = spans.reduce((sum, { unit, from, to }) => sum + ((to - from) * unit) / HOUR_MS, 0);
    if (hours > (tooLarge.get(name) ?? Number.POSITIVE_INFINITY) / 2) return 'large';
    const plan = cache.plan(websiteId, rollup, spans);
    if (plan === null) return 'unknown';
    const refused = refusal(plan, { name, hours, rollup });
    if (refused !== null) return refused;
    const { website, planned } = plan;
    cache.register(website);
    const { dictionaries } = website;
    const budget = createBudget(dictionaries, maxBytes);
    const reading = { payer, website, rollup, name, hours, pace: new Map(), budget };
    let filled: Filled[];
    try {
      filled = await fill(reading, planned);
    } catch (error) {
      if (isUnkeepable(error)) return 'large';
      if (error instanceof TooManyFillsError) return 'busy';
      throw error;
    }
    const slices = slicesOf(planned, filled);
    if (!exceedsRead(sizeOf(slices), maxBytes)) return slices;
    tooLarge.set(name, hours);
    return 'large';
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
          const slices = await slicesFor(payer, scope.websiteId, question.kept, spans);
          const isKept = typeof slices !== 'string';
          onRead(isKept ? 'memory' : slices);
          return isKept ? foldRows(question, slices, createTurns()) : null;
        },
      },
    }),
  };
}

/**
 * Shares fills between reads. A read waits for parts that another read is filling, and fills the others. Its own fills follow each other,
 * because the memory of a read is bounded.
 * @param run fills parts and keeps their blocks
 * @param onFailed is called once for each failed fill
 */
function createSharedFills(
  run: (reading: Reading, parts: readonly WantedPart[]) => Promise<Filled>,
  onFailed: (reading: Reading, error: unknown) => void,
) {
  const running = new Map<string, { readonly version: number; readonly filled: Promise<Filled> }>();

  /** @param after the fill before. If it fails, this one does not begin. */
  function start(reading: Reading, parts: WantedPart[], after: Promise<unknown>): Promise<Filled> {
    const filled = after.then(() => run(reading, parts));
    for (const one of parts) running.set(nameOf(one), { version: one.version, filled });
    const end = () => {
      for (const one of parts) if (running.get(nameOf(one))?.filled === filled) running.delete(nameOf(one));
    };
    filled.then(end, (error: unknown) => {
      end();
      onFailed(reading, error);
    });
    return filled;
  }

  return (reading: Reading, planned: readonly PlannedSpan[]): Promise<Filled[]> => {
    const fills = new Set<Promise<Filled>>();
    const own = new Map<string, WantedPart>();
    for (const { name, span, missing } of planned) {
      for (const { part, version } of missing) {
        const one = { name, start: span.start, unit: span.unit, part, version };
        const other = running.get(nameOf(one));
        if (other?.version === version) fills.add(other.filled);
        else own.set(nameOf(one), one);
      }
    }
    let last: Promise<unknown> = Promise.resolve();
    for (const parts of fillOrder(reading.rollup, [...own.values()])) {
      const filled = start(reading, parts, last);
      fills.add(filled);
      last = filled;
    }
    return Promise.all(fills);
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

/** Name of a part. */
const nameOf = ({ name, part }: Pick<WantedPart, 'name' | 'part'>) => `${part}\n${name}`;

/** Whether the rows can't be kept: there are too many, or a later release of the engine has other states. */
function isUnkeepable(error: unknown): boolean {
  return isTooMuchForOneRead(error) || error instanceof UnknownStateError;
}

interface Size {
  readonly bytes: number;
  readonly rows: number;
}

/** Whether this is too much for one read. */
function exceedsRead({ bytes, rows }: Size, maxBytes: number): boolean {
  return bytes > maxBytes * READ_SHARE || rows > MOST_ROWS;
}

/** Bytes of whole blocks, and rows of their slices. */
function sizeOf(slices: readonly Slice[]): Size {
  const blocks = [...new Set(slices.map(({ block }) => block))];
  const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
  const rows = slices.reduce((sum, { block, from, to }) => sum + block.starts[to]! - block.starts[from]!, 0);
  return { bytes, rows };
}

interface Budget {
  /** @throws AnswerTooLongError beyond the limit of one read */
  spend(block: RowBlock): void;
}

/** Limits the blocks that one read packs, with the values that they add to the dictionaries. */
function createBudget(dictionaries: Dictionaries, maxBytes: number): Budget {
  const known = dictionaries.bytes();
  let bytes = 0;
  let rows = 0;
  return {
    spend(block) {
      bytes += block.bytes;
      rows += block.starts.at(-1)!;
      const size = { bytes: bytes + dictionaries.bytes() - known, rows };
      if (exceedsRead(size, maxBytes) || dictionaries.bytes() > maxBytes * READ_SHARE)
        throw new AnswerTooLongError('the hours have too many rows');
    },
  };
}
