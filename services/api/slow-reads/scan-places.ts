import { StoreBusyError } from '../../../shared/clickhouse/store-errors.js';
import { shareOf } from '../../../shared/fair-queue.js';

/**
 * Places for reads of raw rows: so many in the process, one for each organisation, so that nobody's reads fill what is
 * there for all. Who finds none waits, in the order of coming among those whose organisation has none running.
 */
export interface ScanPlaces {
  /** @throws StoreBusyError where too many wait already. */
  use<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export interface ScanPlacesOptions {
  readonly places: number;
  /** Of all organisations, before their shares shrink (shared/fair-queue.ts). */
  readonly maxWaiting: number;
  readonly maxWaitingOfOwner: number;
}

interface Waiting {
  readonly owner: string;
  readonly go: () => void;
}

export function createScanPlaces({ places, maxWaiting, maxWaitingOfOwner }: ScanPlacesOptions): ScanPlaces {
  /** Organisations with a read running; one each. */
  const running = new Set<string>();
  const waiting: Waiting[] = [];

  function admit(): void {
    while (running.size < places) {
      const index = waiting.findIndex(({ owner }) => !running.has(owner));
      if (index < 0) return;
      const [next] = waiting.splice(index, 1) as [Waiting];
      running.add(next.owner);
      next.go();
    }
  }

  /** null: now. */
  function turn(owner: string): Promise<void> | null {
    // Whoever waits could run already if there were a place.
    if (running.size < places && !running.has(owner)) {
      running.add(owner);
      return null;
    }
    const own = waiting.filter((other) => other.owner === owner).length;
    const owners = new Set([owner, ...waiting.map((other) => other.owner)]).size;
    if (own >= shareOf({ total: maxWaiting, mostOfOwner: maxWaitingOfOwner }, owners))
      throw new StoreBusyError('too many reads of single requests wait already');
    return new Promise<void>((go) => waiting.push({ owner, go }));
  }

  return {
    async use(owner, work) {
      const wait = turn(owner);
      if (wait !== null) await wait;
      try {
        return await work();
      } finally {
        running.delete(owner);
        admit();
      }
    },
  };
}
