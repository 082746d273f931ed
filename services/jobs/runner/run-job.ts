import { guardWrites } from './guard-writes.js';
import type { JobDeps, JobWebsite, WebsiteJob } from './website-job.js';

/** How one run ended. `left`: it was aborted, and the next owner of the website runs it again. */
export type RunEnd =
  | { readonly outcome: 'done' | 'nothing_yet' }
  | { readonly outcome: 'left' }
  | { readonly outcome: 'failed' | 'timed_out'; readonly error: unknown };

export interface RunBounds {
  readonly timeLimitMs: number;
  /** Fires when the run must be left to another replica. */
  readonly leaving: AbortSignal;
  /** Fires when the run must end before its time limit because other organisations wait. */
  readonly givenUp: AbortSignal;
}

/**
 * Runs a job under a time limit. A job that ignores its signal is not waited for any more, and can write nothing more.
 * Never rejects.
 */
export async function runJob(
  job: WebsiteJob,
  website: JobWebsite,
  deps: Omit<JobDeps, 'signal'>,
  { timeLimitMs, leaving, givenUp }: RunBounds,
): Promise<RunEnd> {
  const timeLimit = new AbortController();
  const timer = setTimeout(() => timeLimit.abort(new Error('the run took too long')), timeLimitMs);
  const signal = AbortSignal.any([timeLimit.signal, leaving, givenUp]);
  const clickhouse = guardWrites(deps.clickhouse, () => signal.throwIfAborted());
  try {
    const result = await Promise.race([
      Promise.resolve().then(() => job.run(website, { ...deps, clickhouse, signal })),
      aborted(signal),
    ]);
    return { outcome: result ?? 'done' };
  } catch (error) {
    if (leaving.aborted) return { outcome: 'left' };
    return { outcome: timeLimit.signal.aborted || givenUp.aborted ? 'timed_out' : 'failed', error };
  } finally {
    clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
