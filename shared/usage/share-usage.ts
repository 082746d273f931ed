import { MINUTE_MS } from '../durations.js';
import type { EventLog } from '../event-log/event-log.js';
import { inTime } from '../pacing/in-time.js';
import type { Service } from '../service/service.js';
import { followTopic, publishToTopic, type SharedTopic } from '../service/share-over-topic.js';
import { hourStartOf } from './clock-hour.js';
import { decodeUsage, encodeUsage } from './usage-codec.js';
import type { SharedUsageCounter } from './usage-counter.js';

/** Replicas together exceed the limit by at most the arrivals of this interval plus the log's latency. */
const SHARE_INTERVAL_MS = 100;
/** Longest wait for the last record on shutdown: the log may be unavailable. */
const LAST_SHARE_MS = 2_000;
/** Between replicas and brokers. */
const CLOCKS_DIFFER_MS = 5 * MINUTE_MS;

export interface ShareUsageOptions {
  readonly log: EventLog;
  readonly usage: SharedUsageCounter;
  /** Longest wait at start for earlier usage. A limit that is known late is better than no service. */
  readonly catchUpMs?: number;
  /** Delay between attempts while the log is unavailable. */
  readonly retryMs?: number;
}

/**
 * Shares this replica's counts over the topic `usage` and merges those of the others, until the process stops. While
 * the log is unavailable, a replica counts alone; it shares its counts when the log is back. Resolves when earlier
 * usage is known, or after `catchUpMs`; never rejects.
 */
export async function shareUsage(
  { now, logger, onStop }: Pick<Service, 'now' | 'logger' | 'onStop'>,
  { log, usage, catchUpMs = 5_000, retryMs = 1_000 }: ShareUsageOptions,
): Promise<void> {
  const ending = new AbortController();
  const shared: SharedTopic = { topic: 'usage', log, logger, stopping: ending.signal, retryMs };
  const publishing = publishToTopic(shared, {
    // Only if something was counted.
    next: usage.unshared,
    encode: (record) => ({ key: record.replicaId, value: encodeUsage(record) }),
    onPublished: usage.markShared,
    intervalMs: SHARE_INTERVAL_MS,
  });
  let following: Promise<void> = Promise.resolve();
  const caughtUp = new Promise<true>((resolve) => {
    following = followTopic(shared, {
      take(value, appendedAt) {
        // Counts are of the hour of their record, or of earlier ones, which no limit asks for: at a start these are most records.
        if (appendedAt >= hourStartOf(now()) - CLOCKS_DIFFER_MS) usage.merge(decodeUsage(value), now());
      },
      onCaughtUp: () => resolve(true),
    });
  });
  onStop(async () => {
    ending.abort();
    await inTime(Promise.all([publishing, following]), LAST_SHARE_MS, undefined);
  });
  if (!(await inTime(caughtUp, catchUpMs, false)))
    logger.warn({ waited_ms: catchUpMs }, 'usage: continuing without earlier usage');
}
