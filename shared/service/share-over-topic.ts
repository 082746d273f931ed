import type { EventLog, LogRecord, NewRecord } from '../event-log/event-log.js';
import type { TopicName } from '../event-log/topics.js';
import type { Logger } from '../logging/log.js';
import { pause } from '../pacing/pause.js';
import { waitFor } from './wait-for.js';

/** State that the replicas of a process exchange over a topic while they run. The log may be unavailable meanwhile. */

export interface SharedTopic {
  readonly topic: TopicName;
  readonly log: EventLog;
  readonly logger: Logger;
  /** Ends both directions. */
  readonly stopping: AbortSignal;
  /** Delay between attempts while the log is unavailable. */
  readonly retryMs: number;
}

export interface Publisher<Message> {
  /** The next message; null: none. After the stop signal it is called with `last` true until it returns null. */
  next(last: boolean): Message | null;
  encode(message: Message): NewRecord;
  /** Called when the message is in the log. */
  onPublished(message: Message): void;
  readonly intervalMs: number;
}

/** Publishes one message at a time. After the stop signal, publishes the remaining ones. Never rejects. */
export async function publishToTopic<Message>(
  { topic, log, logger, stopping, retryMs }: SharedTopic,
  { next, encode, onPublished, intervalMs }: Publisher<Message>,
): Promise<void> {
  let away = false;
  for (;;) {
    const last = stopping.aborted;
    const message = next(last);
    if (last && message === null) return;
    if (message !== null) {
      try {
        await log.append(topic, [encode(message)]);
        onPublished(message);
        if (away) logger.info(`${topic}: shared again`);
        away = false;
      } catch (error) {
        if (!away) logger.warn({ err: error }, `${topic}: not shared until the log is back`);
        away = true;
      }
    }
    if (last && away) return;
    if (!last) await pause(away ? retryMs : intervalMs, stopping);
  }
}

export interface Listener {
  /**
   * @param appendedAt append time, milliseconds since the epoch
   * @throws if the record can't be read; it is skipped.
   */
  take(value: Buffer, appendedAt: number): void;
  /** Called when all earlier records are read; repeated after a restart of the tail. */
  onCaughtUp(): void;
  /** Called when the tail has ended: records are missing until `onCaughtUp` is called again. */
  onLost?(): void;
}

/**
 * Reads the whole topic from its start. A tail that ends restarts there, so repeated records must change nothing. Never
 * rejects.
 */
export async function followTopic(
  shared: SharedTopic,
  { take, onCaughtUp, onLost }: Listener,
): Promise<void> {
  const { topic, log, logger, stopping, retryMs } = shared;
  const onRecords = createIntake(shared, take);
  while (!stopping.aborted) {
    let onCrash: (error: Error) => void = () => {};
    const crashed = new Promise<Error>((resolve) => {
      onCrash = resolve;
    });
    const open = () => log.tail({ topic, onRecords, onCrash });
    // Rejects only when the process stops.
    const tail = await waitFor(topic, open, { logger, stopping }).catch(() => null);
    if (tail === null) return;
    tail.caughtUp.then(onCaughtUp, () => {});
    const error = await Promise.race([crashed, aborted(stopping)]);
    onLost?.();
    await tail.stop();
    if (error === undefined) return;
    logger.warn({ err: error }, `${topic}: reading it again`);
    await pause(retryMs, stopping);
  }
}

function createIntake(
  { topic, logger }: SharedTopic,
  take: Listener['take'],
): (records: readonly LogRecord[]) => void {
  let warned = false;
  return (records) => {
    for (const { value, appendedAt } of records) {
      try {
        take(value, appendedAt);
      } catch (error) {
        // During a rolling upgrade, later releases may send unknown records: logged once, not ten times a second.
        if (!warned) logger.warn({ err: error }, `${topic}: a record of another replica cannot be read`);
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
