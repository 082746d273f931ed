import { createCounter } from '../../../shared/counter.js';
import { createFairQueue } from '../../../shared/fair-queue.js';

/**
 * Lets at most `places` be inside at once; others wait, and websites take turns. A website that has nothing inside need not
 * wait: beyond the places there is one of each website at most, whose block its upload holds in memory anyway.
 */
export interface Semaphore {
  enter(websiteId: string): Promise<void>;
  /** @param websiteId who entered. */
  leave(websiteId: string): void;
}

export function createSemaphore(places: number): Semaphore {
  const inside = createCounter();
  const waiting = createFairQueue<() => void>();
  const mayEnter = (websiteId: string) => inside.total() < places || inside.of(websiteId) === 0;

  function admit(): void {
    for (let next = waiting.take(mayEnter); next !== null; next = waiting.take(mayEnter)) {
      inside.add(next.owner, 1);
      next.item();
    }
  }

  return {
    async enter(websiteId) {
      const entered = new Promise<void>((go) => waiting.add(websiteId, go));
      admit();
      await entered;
    },
    leave(websiteId) {
      inside.add(websiteId, -1);
      admit();
    },
  };
}
