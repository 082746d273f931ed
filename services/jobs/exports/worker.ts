import type { Registry } from 'prom-client';
import type { Export } from '../../../shared/control/domain/model.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { createOwnedWork, type OwnedWork } from '../runner/owned-work.js';
import { type AttemptOptions, createAttempt } from './attempt-export.js';
import { createExportMetrics } from './export-metrics.js';
import { type CareOptions, createCaretaker } from './look-after.js';
import { createSideWork } from './side-work.js';

export interface WorkerOptions extends Omit<AttemptOptions, 'metrics'>, CareOptions {
  readonly registry: Registry;
  /** How long `stop` waits for background work; milliseconds, default {@link STOP_MS}. */
  readonly stopMs?: number;
}

export interface ExportWorker {
  /** Looks for work now. */
  scan(): void;
  /** Ends running attempts; the next owner begins them again. */
  stop(): Promise<void>;
}

/** Exports that this replica makes at once. */
const PLACES = 2;
const SCAN_MS = 2 * SECOND_MS;
const SWEEP_MS = HOUR_MS;
/** Background work is repeated by the check of all exports and the sweep, so it may be cut off. */
const STOP_MS = 10 * SECOND_MS;
const LONGEST_SETTLE_MS = 5 * MINUTE_MS;

/** Makes the exports of the websites that this replica owns, one per organisation at a time. */
export function createExportWorker(options: WorkerOptions): ExportWorker {
  const { control, assignmentOf, now, logger } = options;
  const metrics = createExportMetrics(options.registry, () => queueOf(work, now()));
  const attempt = createAttempt({ ...options, metrics });
  const care = createCaretaker(options);
  const side = createSideWork(
    (error) => logger.warn({ err: error }, 'background work of an export failed and is done later'),
    LONGEST_SETTLE_MS,
  );
  const work = createOwnedWork<Export>({
    places: PLACES,
    mostOfOrganisation: 1,
    organisationOf: ({ organisationId }) => organisationId,
    assignmentOf,
    open: () => control.state().exports.marked(),
    isOpen(id) {
      const status = control.state().exports.get(id)?.status;
      return status === 'pending' || status === 'processing';
    },
    async attempt(held, signal) {
      const outcome = await attempt(held, signal);
      // In the background: a store that hangs blocks no place. Work that is left out is done by the next check.
      if (outcome === 'completed' || outcome === 'failed') side.add((limit) => care.settle(held.id, limit));
    },
    // If the log is unavailable, the next scan tries again, not this one.
    onEnded: () => work.fill(),
    onFailure: ({ id }, error) => logger.warn({ err: error, export: id }, 'an export waits for the log'),
    now,
  });

  const once = alone((error) =>
    logger.warn({ err: error }, 'the check of exports failed and is repeated later'),
  );
  const sweepOnce = alone((error) =>
    logger.warn({ err: error }, 'the sweep of files failed and is repeated later'),
  );
  function scan(): void {
    work.endCancelled();
    work.fill();
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
      await work.stop();
      await side.end(options.stopMs ?? STOP_MS);
    },
  };
}

/** The figures for a scrape. */
function queueOf({ ours, isRunning, running }: OwnedWork<Export>, at: number) {
  const open = ours();
  const waiting = open.filter(({ id }) => !isRunning(id)).length;
  const asked = open.map(({ createdAt }) => Date.parse(createdAt));
  const oldestSeconds = asked.length === 0 ? 0 : (at - Math.min(...asked)) / SECOND_MS;
  return { running: running().length, waiting, oldestSeconds };
}

/** @returns a function that runs the work unless a run is under way. A failure is reported, and the next call tries again */
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
