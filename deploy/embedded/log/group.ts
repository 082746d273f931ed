import { setImmediate as nextTurn } from 'node:timers/promises';
import { assignPartitions } from '../../../shared/event-log/assign-partitions.js';
import type { ConsumeOptions, Consumer } from '../../../shared/event-log/event-log.js';
import type { TopicName } from '../../../shared/event-log/topics.js';
import type { Listeners } from './listeners.js';
import { createMember, type Member } from './member.js';
import type { Store } from './store.js';

/**
 * The consumers of one group of a topic, and the owners of its partitions. Changes of membership run one after the
 * other. A partition gets a new owner in the order below. So two consumers never work on it at once, and no
 * consumer overwrites another's commit:
 *   1. the old owner's running call ends; it may still commit
 *   2. its ownership ends: later commits are stale
 *   3. running commits reach the disk
 *   4. onRevoked of the old owner
 *   5. onAssigned of the new owner, with the current commit
 * For a stopping consumer, 4 precedes 2: it may commit in onRevoked. A crashed consumer skips the commit of 1, and 4.
 */
export interface Group {
  /** The first `onAssigned` runs in a later turn of the event loop, after the caller has the consumer. */
  join(options: ConsumeOptions): Consumer;
  /** Stops every consumer. */
  close(): Promise<void>;
}

export function createGroup(store: Store, listeners: Listeners, topic: TopicName): Group {
  const members = new Map<number, Member>();
  let nextId = 0;
  let changes: Promise<void> = Promise.resolve();

  /** Runs a change after all earlier changes. No change rejects. */
  function change(work: () => Promise<void>): Promise<void> {
    changes = changes.then(work);
    return changes;
  }

  async function rebalance(): Promise<void> {
    await nextTurn();
    const active: number[] = [];
    const current = new Map<number, number>();
    for (const [id, member] of members) {
      if (member.status() === 'active') active.push(id);
      for (const partition of member.partitions()) current.set(partition, id);
    }
    const wanted = assignPartitions(store.partitions(topic), active, current);
    await Promise.all(
      [...wanted].map(async ([partition, to]) => {
        const from = current.get(partition);
        if (from === to) return;
        if (from !== undefined) await members.get(from)!.revoke(partition);
        members.get(to)!.assign(partition);
      }),
    );
  }

  async function leave(id: number): Promise<void> {
    await members.get(id)?.leave();
    members.delete(id);
  }

  /** Resolves when the consumer is removed; afterwards the others take over its partitions. */
  function remove(id: number): Promise<void> {
    const left = change(() => leave(id));
    void change(rebalance);
    return left;
  }

  async function stop(id: number): Promise<void> {
    const member = members.get(id);
    if (member?.status() === 'active') {
      member.beginLeaving();
      await remove(id);
    } else await changes;
  }

  return {
    join(options) {
      const id = nextId++;
      const member = createMember(store, listeners, options, (before) => {
        if (before === 'active') void remove(id);
      });
      members.set(id, member);
      void change(rebalance);
      return { commit: member.commit, stop: () => stop(id) };
    },
    async close() {
      await Promise.all([...members.keys()].map(stop));
      await changes;
    },
  };
}
