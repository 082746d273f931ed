import { groupBy } from '../../../shared/group-by.js';
import { createCounter } from '../../../shared/pacing/counter.js';
import type { Assignment } from './assignments.js';
import { createServingOrder } from './serving-order.js';

/** Something in the control plane that the owner of its website carries out, in attempts. */
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
  /** Attempts at once. */
  readonly places: number;
  /** Of one organisation; default: all of them. */
  readonly mostOfOrganisation?: number;
  readonly organisationOf: (item: Item) => string;
  /** Of the website's partition of `jobs`; undefined where another replica has it. */
  readonly assignmentOf: (websiteId: string) => Assignment | undefined;
  /** What is not over, of all websites, the oldest first. */
  readonly open: () => readonly Item[];
  /** False for what was cancelled or erased. */
  readonly isOpen: (id: string) => boolean;
  readonly attempt: (item: Item, signal: AbortSignal) => Promise<void>;
  /** An attempt has ended, and its place is free. */
  readonly onEnded?: () => void;
  /** An attempt rejected: it is made again at a later look. */
  readonly onFailure: (item: Item, error: unknown) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type OwnedWork<Item extends OwnedItem> = ReturnType<typeof createOwnedWork<Item>>;

/**
 * The attempts under way at what this replica owns. What there is to do is in the control plane, so that the next owner of a website goes on where
 * another was killed. A free place goes to the organisation with the fewest attempts under way.
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

  /** Begins what there are places for. */
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
    /** Attempts at what was cancelled or erased end where they run. */
    endCancelled(): void {
      for (const { held, giveUp } of running.values())
        if (!options.isOpen(held.id)) giveUp.abort(new Error('it was cancelled'));
    },
    /** Ends what is under way, and begins nothing more. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const { giveUp } of running.values()) giveUp.abort(new Error('the process ends'));
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
