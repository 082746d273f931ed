import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, LogRecord } from '../event-log/event-log.js';
import { inTime } from '../service/in-time.js';
import type { Service } from '../service/service.js';
import { waitFor } from '../service/wait-for.js';
import { decodeUsage, encodeUsage } from './usage-codec.js';
import type { SharedUsageCounter } from './usage-counter.js';

const TOPIC = 'usage';

/** Replicas together let through the limit and what arrives in this time and on the log's own way. */
const SHARE_INTERVAL_MS = 100;
/** Longest wait for the last record when the process stops: the log may be away. */
const LAST_SHARE_MS = 2_000;

export interface ShareUsageOptions {
  readonly log: EventLog;
  readonly usage: SharedUsageCounter;
  /** Longest wait for what was used before the start: better a limit that is known late than no service. */
  readonly catchUpMs?: number;
  /** Between attempts while the log is away. */
  readonly retryMs?: number;
}

type Running = Pick<Service, 'now' | 'logger' | 'stopping'> &
  Pick<ShareUsageOptions, 'log' | 'usage'> & { readonly retryMs: number };

/**
 * Shares the counts of this replica over the log's topic `usage`, and takes in those of the others, until the process
 * stops. While the log is away a replica counts alone, and makes up for it when the log is back.
 * Resolves when it knows what was used before, or after `catchUpMs` without; never rejects.
 */
export async function shareUsage(
  { now, logger, onStop }: Pick<Service, 'now' | 'logger' | 'onStop'>,
  { log, usage, catchUpMs = 5_000, retryMs = 1_000 }: ShareUsageOptions,
): Promise<void> {
  const ending = new AbortController();
  const running: Running = { now, logger, stopping: ending.signal, log, usage, retryMs };
  const sharing = shareOnAndOn(running);
  let following: Promise<void> = Promise.resolve();
  const caughtUp = new Promise<true>((resolve) => {
    following = followOnAndOn(running, () => resolve(true));
  });
  onStop(async () => {
    ending.abort();
    await inTime(Promise.all([sharing, following]), LAST_SHARE_MS, undefined);
  });
  if (!(await inTime(caughtUp, catchUpMs, false)))
    logger.warn({ waited_ms: catchUpMs }, 'usage: going on without what was used before');
}

/** One record at a time, and only where something was counted; the last after the signal to stop. */
async function shareOnAndOn({ log, usage, logger, stopping, retryMs }: Running): Promise<void> {
  let away = false;
  for (let last = false; !last; ) {
    last = stopping.aborted;
    const record = usage.unshared();
    if (record !== null) {
      try {
        await log.append(TOPIC, [{ key: record.replicaId, value: encodeUsage(record) }]);
        usage.markShared(record);
        if (away) logger.info('usage: shared again');
        away = false;
      } catch (error) {
        if (!away) logger.warn({ err: error }, 'usage: counting alone until the log is back');
        away = true;
      }
    }
    if (!last) await pause(away ? retryMs : SHARE_INTERVAL_MS, stopping);
  }
}

/** A tail that ends is begun again at the topic's start: counts that are known already change nothing. */
async function followOnAndOn(running: Running, onCaughtUp: () => void): Promise<void> {
  const { log, logger, stopping, retryMs } = running;
  const onRecords = createIntake(running);
  while (!stopping.aborted) {
    let onCrash: (error: Error) => void = () => {};
    const crashed = new Promise<Error>((resolve) => {
      onCrash = resolve;
    });
    const open = () => log.tail({ topic: TOPIC, onRecords, onCrash });
    // Rejects only when the process stops.
    const tail = await waitFor('usage', open, { logger, stopping }).catch(() => null);
    if (tail === null) return;
    tail.caughtUp.then(onCaughtUp, () => {});
    const error = await Promise.race([crashed, aborted(stopping)]);
    await tail.stop();
    if (error === undefined) return;
    logger.warn({ err: error }, 'usage: reading it anew');
    await pause(retryMs, stopping);
  }
}

function createIntake({ usage, now, logger }: Running): (records: readonly LogRecord[]) => void {
  let warned = false;
  return (records) => {
    for (const { value } of records) {
      try {
        usage.merge(decodeUsage(value), now());
      } catch (error) {
        // A later release's, while replicas are being replaced: said once, not ten times a second.
        if (!warned) logger.warn({ err: error }, 'usage: a record of another replica can not be read');
        warned = true;
      }
    }
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
