import { useEffect, useState } from 'preact/hooks';
import type { Answer, ReadId } from './operations.js';
import { callPath, callRead, type Outcome, type Parameters } from './read.js';

/** State of a read, as its block shows it. `answer` is the last one; it stays while the next one loads. */
export interface ReadState<Value> {
  readonly answer: Value | null;
  readonly isLoading: boolean;
  /** The answer is incomplete: the read goes on in the server, and is repeated. */
  readonly isBuffering: boolean;
  readonly problem: Exclude<Outcome<Value>, { kind: 'answer' }> | null;
  readonly ignored: readonly string[];
  readonly path: string;
}

interface Kept {
  readonly at: number;
  readonly outcome: Promise<Outcome<unknown>>;
  readonly controller: AbortController;
  users: number;
  isAnswered: boolean;
}

/** Equal calls of several blocks share one request for this long. */
const FRESH_MS = 15_000;
/** Blocks that read again at once share one request, too. */
const SAME_TURN_MS = 1_000;
const MOST_KEPT = 60;
const BUFFERING_RETRY_MS = 2_000;
const kept = new Map<string, Kept>();

interface Reader {
  readonly id: ReadId;
  readonly again: (fresh: boolean) => void;
  readonly isInGroup: boolean;
  /** When the call of the shown answer began; null without one. */
  answeredAt: number | null;
}
/** Blocks on the page, which read again after a write that changes their answers. */
const readers = new Set<Reader>();
const watchers = new Set<() => void>();

export interface ReadOptions {
  /** Milliseconds between repeats; null: only when the parameters change. Default: with all blocks of the screen. */
  readonly every?: number | null;
  /** false: the call is not made, for example as its website is not known yet. */
  readonly when?: boolean;
}

/** Reads an operation; repeats while the server buffers, after a rate limit, and at `every`. */
export function useRead<Id extends ReadId>(
  id: Id,
  website: string | null,
  parameters: Parameters,
  { every: own, when = true }: ReadOptions = {},
): ReadState<Answer<Id>> {
  const path = callPath(id, website, parameters);
  const every = own ?? null;
  const isInGroup = own === undefined;
  const [state, setState] = useState<ReadState<Answer<Id>>>({
    answer: null,
    isLoading: true,
    isBuffering: false,
    problem: null,
    ignored: [],
    path,
  });
  useEffect(() => {
    if (!when) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    let release = () => {};
    let turn = 0;
    const run = (fresh: boolean) => {
      release();
      clearTimeout(timer);
      turn += 1;
      const ownTurn = turn;
      const { at, outcome, leave } = shared(path, fresh, (signal) =>
        callRead(id, website, parameters, signal),
      );
      release = leave;
      outcome.then(
        (result) => {
          if (ended || ownTurn !== turn) return;
          setState((before) => next(before, result as Outcome<Answer<Id>>, path));
          if (result.kind === 'answer' && !isIncomplete(result.value)) {
            reader.answeredAt = at;
            for (const watcher of [...watchers]) watcher();
          }
          const delay = delayAfter(result, every);
          if (delay !== null) timer = setTimeout(run, delay, true);
        },
        () => {},
      );
    };
    setState((before) => ({ ...before, isLoading: true, path }));
    const reader: Reader = { id, again: run, isInGroup, answeredAt: null };
    readers.add(reader);
    run(false);
    return () => {
      ended = true;
      readers.delete(reader);
      clearTimeout(timer);
      release();
    };
  }, [path, when, every, isInGroup]);
  // The effect runs after a paint. Figures of the call before are marked in the same one.
  return state.path === path || !when ? state : { ...state, isLoading: true, path };
}

/** Reads all blocks of the screen that have no rhythm of their own again, at once. */
export function refreshScreen(): void {
  for (const { isInGroup, again } of [...readers]) if (isInGroup) again(true);
}

/** Calls back after each answer, with the time of the oldest answer of the screen; null without one. @returns how to stop. */
export function watchAsOf(callback: (at: number | null) => void): () => void {
  const look = () => {
    const times = [...readers].flatMap(({ isInGroup, answeredAt }) =>
      isInGroup && answeredAt !== null ? [answeredAt] : [],
    );
    callback(times.length === 0 ? null : Math.min(...times));
  };
  watchers.add(look);
  look();
  return () => watchers.delete(look);
}

function next<Value>(before: ReadState<Value>, outcome: Outcome<Value>, path: string): ReadState<Value> {
  if (outcome.kind !== 'answer')
    return { ...before, isLoading: false, isBuffering: false, problem: outcome, path };
  const { value, ignored } = outcome;
  const isBuffering = isIncomplete(value);
  // An empty answer of a read that goes on would look like silence.
  return {
    answer: isBuffering ? before.answer : value,
    isLoading: false,
    isBuffering,
    problem: null,
    ignored,
    path,
  };
}

function isIncomplete(value: unknown): boolean {
  return (value as { data_buffering?: boolean } | null)?.data_buffering === true;
}

function delayAfter(outcome: Outcome<unknown>, every: number | null): number | null {
  if (outcome.kind === 'limited') return outcome.retryAfterSeconds * 1_000;
  if (outcome.kind === 'answer' && isIncomplete(outcome.value)) return BUFFERING_RETRY_MS;
  if (outcome.kind === 'unreachable' || isOverloaded(outcome)) return every ?? BUFFERING_RETRY_MS * 5;
  return every;
}

/** The server or what is before it has too much to do; the same call may succeed soon. */
function isOverloaded(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.status >= 502 && outcome.status <= 504;
}

/** One request for equal paths. It is aborted when its last block leaves before the answer. */
function shared(path: string, fresh: boolean, call: (signal: AbortSignal) => Promise<Outcome<unknown>>) {
  const known = kept.get(path);
  const longest = fresh ? SAME_TURN_MS : FRESH_MS;
  const entry = known !== undefined && Date.now() - known.at < longest ? known : begin(path, call);
  entry.users += 1;
  let left = false;
  return {
    at: entry.at,
    outcome: entry.outcome,
    leave() {
      if (left) return;
      left = true;
      entry.users -= 1;
      if (entry.users > 0 || entry.isAnswered) return;
      entry.controller.abort();
      forget(path, entry);
    },
  };
}

function begin(path: string, call: (signal: AbortSignal) => Promise<Outcome<unknown>>): Kept {
  const controller = new AbortController();
  const outcome = call(controller.signal);
  const entry: Kept = { at: Date.now(), outcome, controller, users: 0, isAnswered: false };
  outcome.then(
    ({ kind }) => {
      entry.isAnswered = true;
      if (kind !== 'answer') forget(path, entry);
    },
    () => forget(path, entry),
  );
  kept.delete(path);
  kept.set(path, entry);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return entry;
}

/** Leaves a newer request of the same path alone. */
function forget(path: string, entry: Kept): void {
  if (kept.get(path) === entry) kept.delete(path);
}

/** After a write: forgets kept answers, and blocks with reads that it changes read again. */
export function forgetAnswers(changed: readonly ReadId[] | 'all'): void {
  kept.clear();
  for (const { id, again } of [...readers]) if (changed === 'all' || changed.includes(id)) again(false);
}
