import { LRUCache } from 'lru-cache';
import { type DataVersions, EXPIRY_MS } from './data-versions.js';
import { type EncodedBody, sizeOf } from './encoded-body.js';

/**
 * Shares work between equal calls. Calls at the same time share a run, and a finished answer is cached until its inputs change.
 * The question contains its organisation, so no answer reaches another organisation.
 */

/** When an operation's answer can be reused. */
export interface Reuse {
  /**
   * JSON: the present values that the answer depends on besides the website's data, the time and the parameters of the call. An example
   * is the rules of a segment. Its id is not enough, because it can be replaced.
   */
  readonly on: readonly unknown[];
  /** From this time on (milliseconds since the epoch) the same call has another answer: its window has moved. */
  readonly until?: number | undefined;
}

export interface SharedCall {
  /** Organisation, website, operation, parameters and `Reuse.on`: everything that determines the answer. */
  readonly key: string;
  readonly websiteId: string;
  /** As in `Reuse`. */
  readonly until?: number | undefined;
  /** Milliseconds since the epoch: the present time for the run. */
  readonly now: number;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

export interface MadeAnswer {
  readonly body: EncodedBody;
  /** false: do not cache it (data_buffering). Calls that are waiting for it still get it. */
  readonly keep: boolean;
}

/** Origin of an answer, for the metrics. */
export type Origin = 'run' | 'shared' | 'kept';

export interface AnswerCache {
  /**
   * @param run gets a signal that aborts when its last caller has disconnected.
   * @throws errors of the run; CallerGoneError if this caller disconnected.
   */
  answer(call: SharedCall, run: (signal: AbortSignal) => Promise<MadeAnswer>): Promise<MadeAnswer>;
}

/** The caller closed the connection before it had its answer. */
export class CallerGoneError extends Error {}

/** Lifetime if the process can not know the writes of others. */
const UNKNOWN_MS = 1_000;
/** One answer may take at most this fraction of the memory. */
const LARGEST_SHARE = 1 / 8;
/** Overhead of an entry besides its text and its key. */
const ENTRY_BYTES = 500;

interface Stamp {
  readonly version: string | null;
  /** The present time for the run. */
  readonly at: number;
  readonly until: number;
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
  /** For all cached answers, including compressed forms. */
  readonly maxBytes: number;
  onAnswer?(origin: Origin): void;
}

export function createAnswerCache({ versions, maxBytes, onAnswer }: AnswerCacheOptions): AnswerCache {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes * LARGEST_SHARE),
    sizeCalculation: ({ answer }, key) => sizeOf(answer.body) + 2 * key.length + ENTRY_BYTES,
  });
  const running = new Map<string, Running>();

  function start(
    { key, now, until = Number.POSITIVE_INFINITY }: SharedCall,
    version: string | null,
    run: (signal: AbortSignal) => Promise<MadeAnswer>,
  ): Running {
    const ending = new AbortController();
    const one: Running = { version, at: now, until, ending, callers: 0, result: run(ending.signal) };
    running.set(key, one);
    const done = () => {
      if (running.get(key) === one) running.delete(key);
    };
    one.result.then(
      (answer) => {
        // A later run with newer data may have replaced this one.
        if (answer.keep && running.get(key) === one) kept.set(key, { version, at: now, until, answer });
        done();
      },
      () => {
        done();
        // A statement has failed, so the results of the others are not needed.
        ending.abort();
      },
    );
    return one;
  }

  return {
    async answer(call, run) {
      const { key } = call;
      // Read the version before the run: changes during the run are not in the answer.
      const version = versions.versionOf(call.websiteId);
      const entry = kept.get(key);
      if (entry !== undefined && holds(entry, version, call.now)) {
        onAnswer?.('kept');
        return entry.answer;
      }
      const joined = running.get(key);
      if (joined !== undefined && mayJoin(joined, version, call.now)) {
        onAnswer?.('shared');
        return share(joined, call.signal);
      }
      onAnswer?.('run');
      return share(start(call, version, run), call.signal);
    },
  };
}

/** After the clock was set back, an entry counts as old. */
function isYounger({ at, until }: Stamp, now: number, ms: number): boolean {
  return now >= at && now < Math.min(until, at + ms);
}

function holds(kept: Stamp, version: string | null, now: number): boolean {
  if (kept.version !== version) return false;
  return isYounger(kept, now, version === null ? UNKNOWN_MS : EXPIRY_MS);
}

/**
 * A run may have missed changes since its start. If the process can not know changes, a running read is as good as the answer that this
 * caller would have got a moment ago.
 */
function mayJoin(run: Running, version: string | null, now: number): boolean {
  if (run.version !== version || run.ending.signal.aborted) return false;
  return isYounger(run, now, EXPIRY_MS);
}

/** Waits together with the other callers. The run ends when its last caller disconnects. */
function share(run: Running, signal: AbortSignal): Promise<MadeAnswer> {
  run.callers += 1;
  return new Promise((resolve, reject) => {
    const leave = () => {
      run.callers -= 1;
      if (run.callers === 0) run.ending.abort();
      reject(new CallerGoneError('the caller disconnected before the answer was ready'));
    };
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    run.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
