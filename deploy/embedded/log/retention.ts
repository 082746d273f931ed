import { type TopicName, topics } from '../../../shared/event-log/topics.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { Store } from './store.js';

/**
 * Drops records older than their topic's retention and, while the log exceeds its size limit, the oldest records first.
 * Records of topics with unlimited retention are never dropped. Records that a group has not committed are never
 * dropped either: unread records take precedence over the limit.
 */

/** Records deleted in one transaction, which takes about 2 ms. An append may have to wait for it. */
const RECORDS_PER_TRANSACTION = 64;
/** Records are dropped down to this share of the limit, so the next append does not start it again. */
const ROOM = 0.95;

export interface Retention {
  /** Drops records. Only one run at a time: a call during a run waits for that run. @throws LogUnavailableError */
  enforce(): Promise<void>;
  /** Ends a run after its current transaction. */
  stop(): Promise<void>;
}

export interface RetentionOptions {
  readonly store: Store;
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  now(): number;
  readonly logger?: Logger | undefined;
}

interface Candidate {
  readonly topic: TopicName;
  readonly partition: number;
  readonly oldest: number;
  /** The first offset that must stay. */
  readonly floor: number;
}

export function createRetention({ store, maxBytes, now, logger }: RetentionOptions): Retention {
  let running: Promise<void> | null = null;
  let stopping = false;
  let warned = false;

  async function enforceAge(): Promise<void> {
    for (const { topic, partition, oldest, floor } of candidates(store)) {
      const expiry = now() - topics[topic].retentionMs!;
      const end = firstTakenAfter(store, topic, partition, oldest, floor, expiry);
      for (let at = oldest; at < end && !stopping; ) {
        at = Math.min(at + RECORDS_PER_TRANSACTION, end);
        await store.drop(topic, partition, at);
      }
    }
  }

  async function enforceSize(): Promise<void> {
    if (store.size() <= maxBytes) {
      warned = false;
      return;
    }
    while (store.size() > maxBytes * ROOM && !stopping) {
      const oldest = oldestOf(store, candidates(store));
      if (!oldest) {
        warnOfReaders();
        return;
      }
      const { topic, partition, floor } = oldest;
      await store.drop(topic, partition, Math.min(oldest.oldest + RECORDS_PER_TRANSACTION, floor));
    }
  }

  /** Warns once each time the log becomes full, since every refused upload calls it. */
  function warnOfReaders(): void {
    const full = store.size() > maxBytes;
    if (full && !warned) {
      const holding = intakeTopics.map((topic) => ({ topic, groups: store.groups(topic) }));
      logger?.warn({ bytes: store.size(), maxBytes, holding }, 'event log: full of unread records');
    }
    warned = full;
  }

  return {
    async enforce() {
      running ??= enforceAge()
        .then(enforceSize)
        .finally(() => {
          running = null;
        });
      await running;
    },
    async stop() {
      stopping = true;
      await running?.catch(() => {});
    },
  };
}

/** Topics with records of senders. A full log still accepts records of consumers and the control plane, since these help to empty it. */
export const intakeTopics: readonly TopicName[] = ['requests.raw'];

function candidates(store: Store): Candidate[] {
  const found: Candidate[] = [];
  for (const topic of Object.keys(topics) as TopicName[]) {
    if (topics[topic].retentionMs === null) continue;
    const groups = store.groups(topic);
    for (let partition = 0; partition < store.partitions(topic); partition++) {
      const { oldest, next } = store.extent(topic, partition);
      const read = groups.map((group) => store.committed(topic, group, partition)?.offset ?? 0);
      const floor = Math.min(next, ...read);
      if (floor > oldest) found.push({ topic, partition, oldest, floor });
    }
  }
  return found;
}

function oldestOf(store: Store, among: readonly Candidate[]): Candidate | undefined {
  const age = ({ topic, partition, oldest }: Candidate) => store.appendedAt(topic, partition, oldest) ?? 0;
  return among.reduce<Candidate | undefined>(
    (best, one) => (best === undefined || age(one) < age(best) ? one : best),
    undefined,
  );
}

/** Uses bisection, since times increase with offsets, and reading a record copies it. */
function firstTakenAfter(
  store: Store,
  topic: TopicName,
  partition: number,
  from: number,
  to: number,
  time: number,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((store.appendedAt(topic, partition, middle) ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
