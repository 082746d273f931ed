import type { Logger } from '../../logging/log.js';
import type { TopicName } from '../topics.js';

/** Three times a minute, so that added partitions are used within a minute. */
const EVERY_MS = 20_000;

export interface TopicWatch {
  /** Known number of the topic's partitions. 0: the topic does not exist. */
  partitions(topic: TopicName): number;
  /** Adopts a number from another source; the next check may find another one. */
  learn(topic: TopicName, partitions: number): void;
  stop(): Promise<void>;
}

export interface TopicWatchOptions {
  readonly counts: ReadonlyMap<TopicName, number>;
  /** Recreates topics if allowed, and returns the partition numbers. */
  look(): Promise<ReadonlyMap<TopicName, number>>;
  /** The number of partitions of a topic has changed. */
  onChange(): void;
  readonly everyMs?: number | undefined;
  readonly logger?: Logger | undefined;
}

/**
 * Watches the topics while the process runs: an operator may add partitions, and a broker may restart without its disk.
 */
export function watchTopics(options: TopicWatchOptions): TopicWatch {
  const { look, onChange, everyMs = EVERY_MS, logger } = options;
  let { counts } = options;
  let looking: Promise<void> = Promise.resolve();

  async function lookAgain(): Promise<void> {
    const found = await look();
    const before = counts;
    counts = found;
    let changed = false;
    for (const [topic, partitions] of found) {
      const known = before.get(topic) ?? 0;
      if (partitions !== known) {
        changed = true;
        logger?.warn(
          { topic, before: known, now: partitions },
          'event log: the number of partitions has changed',
        );
      }
      if (partitions === 0)
        logger?.error(
          { topic },
          'event log: the topic is gone from the brokers (docs/troubleshooting.md, "Lost topics")',
        );
    }
    if (changed) onChange();
  }

  const timer = setInterval(() => {
    looking = lookAgain().catch((error: unknown) =>
      logger?.warn({ err: error }, 'event log: the topics cannot be checked'),
    );
  }, everyMs);
  timer.unref();

  return {
    partitions: (topic) => counts.get(topic) ?? 0,
    learn(topic, partitions) {
      counts = new Map(counts).set(topic, partitions);
      onChange();
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
