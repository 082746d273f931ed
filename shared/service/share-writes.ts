import { type ChangesRecord, encodeChanges } from '../changes/changes-codec.js';
import type { UnsharedChanges } from '../changes/unshared-changes.js';
import { SECOND_MS } from '../durations.js';
import type { EventLog } from '../event-log/event-log.js';
import { inTime } from '../pacing/in-time.js';
import type { Service } from './service.js';
import { publishToTopic } from './share-over-topic.js';

/** Time after which a change is sent. */
const SHARE_INTERVAL_MS = 100;
/** Longest wait for the last record on shutdown: the log may be unavailable. */
const LAST_SHARE_MS = 2_000;

/**
 * Sends this process's changes to the API replicas over the topic `changes`, until the process stops. Resolves when the replicas can know
 * this writer, so call it before the first write. Never rejects; while the log is unavailable, it waits.
 */
export async function shareWrites(
  { logger, onStop }: Pick<Service, 'logger' | 'onStop'>,
  { log, unshared, retryMs = SECOND_MS }: ShareWritesOptions,
): Promise<void> {
  const ending = new AbortController();
  let publishing: Promise<void> = Promise.resolve();
  const first = new Promise<void>((resolve) => {
    const shared = { topic: 'changes', log, logger, stopping: ending.signal, retryMs } as const;
    publishing = publishToTopic<ChangesRecord>(shared, {
      next: unshared.next,
      encode: (record) => ({ key: unshared.writerId, value: encodeChanges(record) }),
      onPublished(record) {
        unshared.markShared(record);
        resolve();
      },
      intervalMs: SHARE_INTERVAL_MS,
    });
  });
  onStop(async () => {
    ending.abort();
    await inTime(publishing, LAST_SHARE_MS, undefined);
  });
  await Promise.race([first, publishing]);
}

export interface ShareWritesOptions {
  readonly log: EventLog;
  readonly unshared: UnsharedChanges;
  /** Delay between attempts while the log is unavailable. */
  readonly retryMs?: number;
}
