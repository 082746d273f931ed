import type { TopicName } from '../../../shared/event-log/topics.js';

/** Listeners for new records, by partition. */
export interface Listeners {
  /** @returns a function that removes the listener */
  listen(topic: TopicName, partition: number, listener: () => void): () => void;
  notify(topic: TopicName, partition: number): void;
}

export function createListeners(): Listeners {
  const byPartition = new Map<string, Set<() => void>>();
  return {
    listen(topic, partition, listener) {
      const name = `${topic}/${partition}`;
      const listeners = byPartition.get(name) ?? new Set();
      byPartition.set(name, listeners.add(listener));
      return () => listeners.delete(listener);
    },
    notify(topic, partition) {
      for (const listener of byPartition.get(`${topic}/${partition}`) ?? []) listener();
    },
  };
}
