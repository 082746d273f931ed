import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { DataVersions } from './data-versions.js';
import { type EncodedBody, sizeOf } from './encoded-body.js';

/**
 * Equal calls are one call: those at the same time share a run, and a finished answer is kept for as long as nothing that it
 * rests on has changed. What is asked names its organisation, so nothing goes from one to another.
 */

/** What an operation says of an answer that may be reused. */
export interface Reuse {
  /**
   * JSON: what decides the answer beside the website's data and the call's parameters, as it is at this moment: the resolved start of
   * a rolling window, the rules of a segment (not its id: it may be replaced).
   */
  readonly on: readonly unknown[];
  /** The window ends now, and the answer tells that: it is kept for ROLLING_MS at most. */
  readonly tellsNow: boolean;
}

export interface SharedCall {
  /** Organisation, website, operation, parameters, and what the operation says: all that decides the answer. */
  readonly key: string;
  readonly websiteId: string;
  readonly tellsNow: boolean;
  /** Milliseconds since the epoch: what the run would take for now. */
  readonly now: number;
  /** Aborted when the caller goes. */
  readonly signal: AbortSignal;
}

export interface MadeAnswer {
  readonly body: EncodedBody;
  /** false: it holds for this moment alone (data_buffering). Who waits for it now still gets it. */
  readonly keep: boolean;
}

/** How an answer came about, for the operator. */
export type Origin = 'run' | 'shared' | 'kept';

export interface AnswerCache {
  /**
   * @param run is given a signal that aborts when the last of its callers has gone.
   * @throws what the run throws; CallerGoneError where this caller went.
   */
  answer(call: SharedCall, run: (signal: AbortSignal) => Promise<MadeAnswer>): Promise<MadeAnswer>;
}

/** The caller closed the connection before it had its answer. */
export class CallerGoneError extends Error {}

/**
 * Of an answer whose window ends now, while the data stands. It goes stale in one thing: it tells an older end of its window. Ten seconds
 * are less than a dashboard's pause between two looks, and make one run of whatever many dashboards ask in between.
 */
const ROLLING_MS = 10_000;
/** Rows expire by the day without anybody being told (docs/decisions/020-retention-by-receipt.md); the engine itself takes up to four hours for it. */
const LONGEST_MS = 10 * MINUTE_MS;
/** Where the process can't know what others store. */
const UNKNOWN_MS = 1_000;
/** One answer may have so much of the memory. */
const LARGEST_SHARE = 8;
/** Of an entry beside its text and its key. */
const ENTRY_BYTES = 500;

interface Stamp {
  readonly version: string | null;
  /** What the run took for now. */
  readonly at: number;
}

interface Kept extends Stamp {
  readonly answer: MadeAnswer;
}

interface Running extends Stamp {
  readonly result: Promise<MadeAnswer>;
  readonly ending: AbortController;
  callers: number;
}

export interface AnswerCacheOptions {
  readonly versions: DataVersions;
  /** For all kept answers, compressed forms included. */
  readonly maxBytes: number;
  onAnswer?(origin: Origin): void;
}

export function createAnswerCache({ versions, maxBytes, onAnswer }: AnswerCacheOptions): AnswerCache {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / LARGEST_SHARE),
    sizeCalculation: ({ answer }, key) => sizeOf(answer.body) + 2 * key.length + ENTRY_BYTES,
  });
  const running = new Map<string, Running>();

  function start(
    { key, now }: SharedCall,
    version: string | null,
    run: (signal: AbortSignal) => Promise<MadeAnswer>,
  ): Running {
    const ending = new AbortController();
    const one: Running = { version, at: now, ending, callers: 0, result: run(ending.signal) };
    running.set(key, one);
    const done = () => {
      if (running.get(key) === one) running.delete(key);
    };
    one.result.then(
      (answer) => {
        // A later run, of newer data, may have taken its place.
        if (answer.keep && running.get(key) === one) kept.set(key, { version, at: now, answer });
        done();
      },
      () => {
        done();
        // One of its statements has failed: nobody needs what the others would tell.
        ending.abort();
      },
    );
    return one;
  }

  return {
    async answer(call, run) {
      const { key } = call;
      // Before anything is read.
      const version = versions.versionOf(call.websiteId);
      const known = kept.get(key);
      if (known !== undefined && holds(known, version, call)) {
        onAnswer?.('kept');
        return known.answer;
      }
      const joined = running.get(key);
      if (joined !== undefined && mayJoin(joined, version, call)) {
        onAnswer?.('shared');
        return share(joined, call.signal);
      }
      onAnswer?.('run');
      return share(start(call, version, run), call.signal);
    },
  };
}

/** A clock that was set back counts as old. */
function isYounger({ at }: Stamp, now: number, ms: number): boolean {
  return now >= at && now - at < ms;
}

function holds(kept: Stamp, version: string | null, { tellsNow, now }: SharedCall): boolean {
  if (kept.version !== version) return false;
  if (version === null) return isYounger(kept, now, UNKNOWN_MS);
  return isYounger(kept, now, tellsNow ? ROLLING_MS : LONGEST_MS);
}

/**
 * What has changed since the run began it may have missed. Where changes are not known, a run that is under way is as good as what this
 * caller would have got a moment ago.
 */
function mayJoin(run: Running, version: string | null, { tellsNow, now }: SharedCall): boolean {
  if (run.version !== version || run.ending.signal.aborted) return false;
  return isYounger(run, now, tellsNow ? ROLLING_MS : LONGEST_MS);
}

/** Waits with the others; who goes leaves the run to them, and the last one ends it. */
function share(run: Running, signal: AbortSignal): Promise<MadeAnswer> {
  run.callers += 1;
  return new Promise((resolve, reject) => {
    const leave = () => {
      run.callers -= 1;
      if (run.callers === 0) run.ending.abort();
      reject(new CallerGoneError('the caller went before the answer was there'));
    };
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    run.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
