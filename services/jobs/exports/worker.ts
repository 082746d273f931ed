import type { Registry } from 'prom-client';
import type { Export } from '../../../shared/control/model.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import type { Assignment } from '../runner/assignments.js';
import { type AttemptOptions, createAttempt } from './attempt-export.js';
import { type CareOptions, createCaretaker } from './look-after.js';
import { createExportMetrics } from './metrics.js';
import { createFairChoice } from './next-exports.js';
import { createSideWork } from './side-work.js';

export interface WorkerOptions extends Omit<AttemptOptions, 'metrics'>, CareOptions {
  readonly registry: Registry;
  /** How long `stop` waits for what follows on an attempt; milliseconds, default {@link STOP_MS}. */
  readonly stopMs?: number;
}

export interface ExportWorker {
  /** Looks for what is to be done, now. */
  scan(): void;
  /** Ends what is under way: its next owner begins it again. */
  stop(): Promise<void>;
}

const SCAN_MS = 2 * SECOND_MS;
const SWEEP_MS = HOUR_MS;
/** What follows on an attempt is done again by the look at all exports and the sweep: it need not be waited for. */
const STOP_MS = 10 * SECOND_MS;
const LONGEST_SETTLE_MS = 5 * MINUTE_MS;

interface Running {
  readonly held: Export;
  readonly assignment: Assignment;
  readonly giveUp: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Makes the exports of the websites that this replica owns. What there is to do stands in the control plane, so that whoever owns a website goes on where
 * another was killed. Organisations take turns.
 */
export function createExportWorker(options: WorkerOptions): ExportWorker {
  const { control, assignmentOf, now, logger } = options;
  const running = new Map<string, Running>();
  const choose = createFairChoice();
  let isStopped = false;
  const metrics = createExportMetrics(options.registry, () => queueOf(openExports(), running, now()));
  const attempt = createAttempt({ ...options, metrics });
  const care = createCaretaker(options);
  const side = createSideWork(
    (error) => logger.warn({ err: error }, 'what follows on an export is done later'),
    LONGEST_SETTLE_MS,
  );

  const owned = (each: Export) => {
    const assignment = assignmentOf(each.websiteId);
    return assignment?.isReady === true && !assignment.leaving.signal.aborted;
  };
  const openExports = () => control.state().exports.marked().filter(owned);

  function begin(held: Export): void {
    const assignment = assignmentOf(held.websiteId)!;
    const giveUp = new AbortController();
    const { signal } = assignment.leaving;
    const leave = () => giveUp.abort();
    signal.addEventListener('abort', leave, { once: true });
    const end = () => {
      signal.removeEventListener('abort', leave);
      running.delete(held.id);
    };
    const ended = attempt(held, giveUp.signal)
      // Beside it: a store that hangs keeps no place. What is left out follows with the next look.
      .then((outcome) => {
        if (outcome === 'completed' || outcome === 'failed') side.add((limit) => care.settle(held.id, limit));
      })
      .finally(end)
      // Where the log takes nothing the next look tries again, not this one.
      .then(fill, (error: unknown) =>
        logger.warn({ err: error, export: held.id }, 'an export waits for the log'),
      );
    running.set(held.id, { held, assignment, giveUp, ended });
  }

  function fill(): void {
    if (isStopped) return;
    const waiting = openExports().filter(
      ({ id, notBefore }) => !running.has(id) && (notBefore === null || Date.parse(notBefore) <= now()),
    );
    const held = [...running.values()].map((each) => each.held);
    for (const next of choose(waiting, held)) begin(next);
  }

  /** Cancelled ones end where they run. */
  function endCancelled(): void {
    const { exports } = control.state();
    for (const { held, giveUp } of running.values()) {
      const status = exports.get(held.id)?.status;
      if (status !== 'pending' && status !== 'processing') giveUp.abort();
    }
  }

  const once = alone((error) => logger.warn({ err: error }, 'exports are looked after later'));
  const sweepOnce = alone((error) => logger.warn({ err: error }, 'files are swept later'));
  function scan(): void {
    endCancelled();
    fill();
    once(() => care.lookAfter(side.signal));
  }
  const timers = [
    setInterval(scan, SCAN_MS),
    setInterval(() => sweepOnce(() => care.sweep(side.signal)), SWEEP_MS),
  ];
  return {
    scan,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      isStopped = true;
      for (const { giveUp } of running.values()) giveUp.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
      await side.end(options.stopMs ?? STOP_MS);
    },
  };
}

/** What a scrape is told. */
function queueOf(open: readonly Export[], running: ReadonlyMap<string, Running>, at: number) {
  const waiting = open.filter(({ id }) => !running.has(id)).length;
  const asked = open.map(({ createdAt }) => Date.parse(createdAt));
  const oldestSeconds = asked.length === 0 ? 0 : (at - Math.min(...asked)) / SECOND_MS;
  return { running: running.size, waiting, oldestSeconds };
}

/** @returns what runs a piece of work, unless one runs; a failure is told and the next call tries again. */
function alone(onError: (error: unknown) => void) {
  let busy = false;
  return (work: () => Promise<void>): void => {
    if (busy) return;
    busy = true;
    work()
      .catch(onError)
      .finally(() => {
        busy = false;
      });
  };
}
