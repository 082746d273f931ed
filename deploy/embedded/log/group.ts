import { setImmediate as nextTurn } from 'node:timers/promises';
import { assignPartitions } from '../../../shared/event-log/assign-partitions.js';
import type { ConsumeOptions, Consumer } from '../../../shared/event-log/event-log.js';
import type { TopicName } from '../../../shared/event-log/topics.js';
import type { Listeners } from './listeners.js';
import { createMember, type Member } from './member.js';
import type { Store } from './store.js';

/**
 * The consumers of one group of a topic, and who of them owns which partition. Changes of membership are
 * worked off one after the other. A partition changes hands in this order, so that no two consumers ever
 * work on it at once and neither overwrites the other's commit:
 *   1. the old owner's running call ends; it may still commit
 *   2. its ownership ends: later commits are stale
 *   3. commits already under way reach the disk
 *   4. onRevoked of the old owner
 *   5. onAssigned of the new owner, with what is committed now
 * A consumer that stops does 4 before 2: it may commit in onRevoked. One that crashes skips 1's commit and 4.
 */
export interface Group {
  /** The first `onAssigned` comes in a later turn, when the caller holds the consumer. */
  join(options: ConsumeOptions): Consumer;
  /** Stops every consumer. */
  close(): Promise<void>;
}

export function createGroup(store: Store, listeners: Listeners, topic: TopicName): Group {
  const members = new Map<number, Member>();
  let nextId = 0;
  let changes: Promise<void> = Promise.resolve();

  /** Runs after the changes before it. No change rejects. */
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

  /** Resolves when the consumer is out; the others take its partitions over after that. */
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
