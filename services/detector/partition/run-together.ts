import type { DueInterval } from '../arrivals/due-interval.js';
import type { AskedSpan } from '../counts/asked-span.js';
import type { CountedSpans, ReadCounts } from '../counts/counts-reader.js';
import { emptyCounts, type SpanCounts } from '../counts/span-counts.js';
import type { Evaluating, Evaluation } from '../evaluation/evaluate-website.js';

/** Evaluates many websites in step. One read counts all equal spans that the evaluations yield. */

/** Consecutive intervals of one website. */
export interface Run {
  readonly websiteId: string;
  readonly intervals: readonly DueInterval[];
  evaluate(interval: DueInterval): Evaluating;
  onEvaluated(evaluation: Evaluation, interval: DueInterval): void;
  /** A rule failed, so the interval has no findings. */
  onFailed(error: unknown, interval: DueInterval): void;
}

interface RunningEvaluation {
  readonly run: Run;
  at: number;
  evaluating: Evaluating;
  asked: AskedSpan;
}

/** @throws the error of `read`. The evaluations then stay at their last step. */
export async function runTogether(
  runs: readonly Run[],
  read: ReadCounts,
  giveTurn: () => Promise<void>,
): Promise<void> {
  const counted = createCountedSpans(read);
  let running = runs.flatMap((run) => begun(run, 0) ?? []);
  while (running.length > 0) {
    await counted.count(running);
    const further: RunningEvaluation[] = [];
    for (const one of running) {
      const next = advanced(one, counted.of(one));
      if (next !== null) further.push(next);
      await giveTurn();
    }
    running = further;
  }
}

/** @returns null if all intervals from `at` on are evaluated */
function begun(run: Run, at: number): RunningEvaluation | null {
  for (let index = at; index < run.intervals.length; index += 1) {
    const evaluating = run.evaluate(run.intervals[index]!);
    const asked = stepped(run, index, () => evaluating.next());
    if (asked !== null) return { run, at: index, evaluating, asked };
  }
  return null;
}

function advanced(running: RunningEvaluation, counts: SpanCounts): RunningEvaluation | null {
  const { run, at, evaluating } = running;
  const asked = stepped(run, at, () => evaluating.next(counts));
  return asked === null ? begun(run, at + 1) : { ...running, asked };
}

/** @returns the span that the evaluation needs; null: the interval is evaluated, or has failed */
function stepped(run: Run, at: number, step: () => IteratorResult<AskedSpan, Evaluation>): AskedSpan | null {
  try {
    const result = step();
    if (!result.done) return result.value;
    run.onEvaluated(result.value, run.intervals[at]!);
  } catch (error) {
    run.onFailed(error, run.intervals[at]!);
  }
  return null;
}

/** Counts that were read, by website and by block of spans. */
function createCountedSpans(read: ReadCounts) {
  const known = new Map<string, Map<string, ReadonlyMap<number, SpanCounts>>>();

  return {
    /** Reads the spans that are not known yet, in one read for all websites with the same block. */
    async count(running: readonly RunningEvaluation[]): Promise<void> {
      const blocks = new Map<string, { readonly block: Block; readonly websiteIds: string[] }>();
      for (const { run, asked } of running) {
        const block = blockOf(asked, run);
        if (known.get(run.websiteId)?.has(keyOf(block))) continue;
        const entry = blocks.get(keyOf(block)) ?? { block, websiteIds: [] };
        blocks.set(keyOf(block), entry);
        entry.websiteIds.push(run.websiteId);
      }
      for (const [key, { block, websiteIds }] of blocks) {
        const counts = await read({ ...block, websiteIds });
        for (const id of websiteIds) {
          const ofWebsite = known.get(id) ?? new Map();
          known.set(id, ofWebsite.set(key, counts.get(id) ?? new Map()));
        }
      }
    },
    of: ({ run, asked }: RunningEvaluation): SpanCounts =>
      known
        .get(run.websiteId)
        ?.get(keyOf(blockOf(asked, run)))
        ?.get(asked.start) ?? emptyCounts(asked.start),
  };
}

type Block = Omit<CountedSpans, 'websiteIds'>;

const keyOf = ({ from, to, lengthMs, lists }: Block) => `${from} ${to} ${lengthMs} ${lists}`;

/**
 * The spans to read with the yielded one: all spans of its length over the run's intervals, if aligned; else
 * only this span.
 */
function blockOf({ start, end, lists }: AskedSpan, { intervals }: Run): Block {
  const lengthMs = end - start;
  const first = intervals[0]!.start;
  const last = intervals.at(-1)!.end;
  if (start % lengthMs !== 0 || lengthMs >= last - first) return { from: start, to: end, lengthMs, lists };
  return {
    from: Math.floor(first / lengthMs) * lengthMs,
    to: Math.ceil(last / lengthMs) * lengthMs,
    lengthMs,
    lists,
  };
}
