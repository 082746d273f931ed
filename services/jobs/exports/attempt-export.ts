import { countedAttempts } from '../../../shared/control/aggregates/attempts.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { Export } from '../../../shared/control/domain/model.js';
import { keptBytesOf } from '../../../shared/control/exports/export.js';
import { SECOND_MS } from '../../../shared/durations.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import type { Logger } from '../../../shared/logging/log.js';
import { ATTEMPT_MS, afterFailure, MOST_ATTEMPTS, NEVER_ENDED } from '../export-makers/after-failure.js';
import { ExportRefusedError, type Maker } from '../export-makers/maker.js';
import type { ExportMetrics } from './export-metrics.js';
import { exportPrefix, storeMade } from './store-made.js';

export interface AttemptOptions {
  readonly control: Pick<ControlPlane, 'state' | 'execute'>;
  /** By export type. */
  readonly makers: ReadonlyMap<string, Maker>;
  readonly store: FileStore;
  readonly metrics: Pick<ExportMetrics, 'ended' | 'bytes' | 'seconds'>;
  /** For one file. */
  readonly mostFileBytes: number;
  /** For the stored files of an organisation. At this size, no further file is made. */
  readonly mostKeptBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** `passed`: another process or user decided first. `left`: another replica continues it. */
export type AttemptOutcome = 'completed' | 'failed' | 'again' | 'decided_elsewhere' | 'left_to_replica';

/**
 * @returns a function that makes one attempt at an export. It stores the complete file before it records it. The record is accepted only if no other
 * attempt has begun since, so at most one attempt completes. Throws the error that kept the log from recording a decision.
 */
export function createAttempt(options: AttemptOptions) {
  const { control, makers, store, metrics, mostFileBytes, mostKeptBytes, now, logger } = options;

  async function execute(command: Parameters<ControlPlane['execute']>[0]): Promise<boolean> {
    return 'answer' in (await control.execute(command, 'system'));
  }

  async function complete(held: Export, attempt: number, signal: AbortSignal): Promise<AttemptOutcome> {
    const maker = makers.get(held.exportType)!;
    // Exports that were queued with it may have used up the space.
    if (keptBytesOf(control.state(), held.organisationId) >= mostKeptBytes)
      throw new ExportRefusedError(FULL);
    // The attempt may have been cancelled while its start was recorded.
    signal.throwIfAborted();
    const made = await maker.make(held, { now, signal });
    const file = await storeMade(store, `${exportPrefix(held)}${attempt}/`, made, {
      signal,
      onBytes: (bytes) => metrics.bytes.inc(bytes),
      mostBytes: mostFileBytes,
    });
    signal.throwIfAborted();
    const done = await execute({ type: 'completeExport', exportId: held.id, attempt, file });
    return done ? 'completed' : 'decided_elsewhere';
  }

  async function fail(
    held: Export,
    attempt: number,
    { reason, waitMs }: { reason: string; waitMs: number | null },
  ): Promise<AttemptOutcome> {
    const retryAt = waitMs === null ? null : new Date(now() + waitMs).toISOString();
    if (!(await execute({ type: 'failExport', exportId: held.id, attempt, reason, retryAt })))
      return 'decided_elsewhere';
    return waitMs === null ? 'failed' : 'again';
  }

  /** If the log does not accept the return, the attempt counts. For a cancelled export nothing is written. */
  async function giveBack(exportId: string, attempt: number): Promise<void> {
    await execute({ type: 'returnExport', exportId, attempt }).catch((error: unknown) =>
      logger.warn(
        { err: error, export: exportId, attempt },
        'an interrupted attempt could not be returned, so it counts',
      ),
    );
  }

  /** An earlier attempt may have been returned since this one began. */
  const countedNow = (held: Export) =>
    countedAttempts(control.state().exports.get(held.id) ?? { ...held, attempts: held.attempts + 1 });

  async function run(held: Export, ended: AbortSignal): Promise<AttemptOutcome> {
    const attempt = held.attempts + 1;
    if (countedAttempts(held) >= MOST_ATTEMPTS)
      return fail(held, held.attempts, { reason: NEVER_ENDED, waitMs: null });
    if (!(await execute({ type: 'startExport', exportId: held.id, attemptsBefore: held.attempts })))
      return 'decided_elsewhere';
    const limit = AbortSignal.timeout(ATTEMPT_MS);
    try {
      return await complete(held, attempt, AbortSignal.any([ended, limit]));
    } catch (error) {
      if (ended.aborted) {
        await giveBack(held.id, attempt);
        return 'left_to_replica';
      }
      const about = { export: held.id, type: held.exportType, attempt };
      // A faulty request of a customer is no error of the service.
      if (error instanceof ExportRefusedError)
        logger.info({ ...about, reason: error.message }, 'an export was refused');
      else logger.warn({ ...about, err: error }, 'an export was not made');
      return fail(held, attempt, afterFailure(error, countedNow(held), limit.aborted ? 'out_of_time' : null));
    }
  }

  return async (held: Export, ended: AbortSignal): Promise<AttemptOutcome> => {
    const began = now();
    const outcome = await run(held, ended);
    metrics.seconds.observe((now() - began) / SECOND_MS);
    metrics.ended.inc({ type: held.exportType, outcome });
    logger.info(
      { export: held.id, type: held.exportType, website: held.websiteId, outcome, ms: now() - began },
      'an attempt at an export ended',
    );
    return outcome;
  };
}

const FULL =
  'The exports of the organisation have as many bytes as it may keep: ask again when the oldest have expired.';
