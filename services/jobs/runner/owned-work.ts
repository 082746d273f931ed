import { groupBy } from '../../../shared/group-by.js';
import { createCounter } from '../../../shared/pacing/counter.js';
import type { Assignment } from './assignments.js';
import { createServingOrder } from './serving-order.js';

/** An item of the control plane (an export or a crawl) that the owner of its website carries out, in attempts. */
interface OwnedItem {
  readonly id: string;
  readonly websiteId: string;
  /** Not before this time; ISO 8601. */
  readonly notBefore: string | null;
}

export interface PlacedItem<Item> {
  readonly held: Item;
  /** Milliseconds since the epoch. */
  readonly beganAt: number;
  readonly giveUp: AbortController;
}

export interface OwnedWorkOptions<Item> {
  /** Concurrent attempts. */
  readonly places: number;
  /** For one organisation; default: all places. */
  readonly mostOfOrganisation?: number;
  readonly organisationOf: (item: Item) => string;
  /** The assignment of the website's partition of `jobs`; undefined: another replica owns it. */
  readonly assignmentOf: (websiteId: string) => Assignment | undefined;
  /** The open items of all websites, the oldest first. */
  readonly open: () => readonly Item[];
  /** False after the item was cancelled or erased. */
  readonly isOpen: (id: string) => boolean;
  readonly attempt: (item: Item, signal: AbortSignal) => Promise<void>;
  /** Called when an attempt has ended and its place is free. */
  readonly onEnded?: () => void;
  /** Called when an attempt rejected. A later scan tries again. */
  readonly onFailure: (item: Item, error: unknown) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type OwnedWork<Item extends OwnedItem> = ReturnType<typeof createOwnedWork<Item>>;

/**
 * Runs attempts at the items that this replica owns. The items are in the control plane, so the next owner of a website continues after a kill. A free
 * place goes to the organisation with the fewest attempts under way.
 */
export function createOwnedWork<Item extends OwnedItem>(options: OwnedWorkOptions<Item>) {
  const { places, mostOfOrganisation = places, organisationOf, assignmentOf, now } = options;
  const running = new Map<string, PlacedItem<Item> & { readonly ended: Promise<void> }>();
  const underWay = createCounter();
  const order = createServingOrder();
  let isStopped = false;

  function ours(): Item[] {
    return options.open().filter(({ websiteId }) => {
      const assignment = assignmentOf(websiteId);
      return assignment?.isReady === true && !assignment.leaving.signal.aborted;
    });
  }

  const waiting = () =>
    ours().filter(
      ({ id, notBefore }) => !running.has(id) && (notBefore === null || Date.parse(notBefore) <= now()),
    );

  function begin(held: Item, organisation: string): void {
    const giveUp = new AbortController();
    const { signal } = assignmentOf(held.websiteId)!.leaving;
    const leave = () => giveUp.abort(new Error('the website is left to another replica'));
    signal.addEventListener('abort', leave, { once: true });
    underWay.add(organisation, 1);
    const ended = options
      .attempt(held, giveUp.signal)
      .finally(() => {
        signal.removeEventListener('abort', leave);
        underWay.add(organisation, -1);
        running.delete(held.id);
      })
      .then(options.onEnded, (error: unknown) => options.onFailure(held, error));
    running.set(held.id, { held, beganAt: now(), giveUp, ended });
  }

  /** Starts as many attempts as there are places. */
  function fill(): void {
    if (isStopped) return;
    if (running.size >= places) return;
    const left = groupBy(waiting(), organisationOf);
    while (running.size < places) {
      const organisation = order.next(left.keys(), underWay.of);
      if (organisation === undefined || underWay.of(organisation) >= mostOfOrganisation) return;
      const line = left.get(organisation)!;
      order.serve(organisation);
      begin(line.shift()!, organisation);
      if (line.length === 0) left.delete(organisation);
    }
  }

  return {
    ours,
    waiting,
    isRunning: (id: string) => running.has(id),
    running: (): readonly PlacedItem<Item>[] => [...running.values()],
    fill,
    /** Ends attempts at items that were cancelled or erased. */
    endCancelled(): void {
      for (const { held, giveUp } of running.values())
        if (!options.isOpen(held.id)) giveUp.abort(new Error('it was cancelled'));
    },
    /** Ends running attempts and starts no more. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const { giveUp } of running.values()) giveUp.abort(new Error('the process ends'));
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
