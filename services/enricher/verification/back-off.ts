import { later } from './later.js';

/**
 * Where failed look-ups rest. There are few different rests, so that in the line of each the first is due first, and
 * one timer serves all.
 */
export interface BackOff<Item> {
  /** @param rest index of one of the rests. */
  add(item: Item, rest: number): void;
  size(): number;
  stop(): void;
}

export interface BackOffOptions<Item> {
  /** Lengths of the rests, milliseconds. */
  readonly restsMs: readonly number[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onDue: (item: Item) => void;
}

export function createBackOff<Item>({ restsMs, now, onDue }: BackOffOptions<Item>): BackOff<Item> {
  const lines = restsMs.map((restMs) => ({
    restMs,
    resting: [] as { readonly item: Item; readonly due: number }[],
  }));
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    clearTimeout(timer);
    const due = Math.min(...lines.map(({ resting }) => resting[0]?.due ?? Number.POSITIVE_INFINITY));
    if (due < Number.POSITIVE_INFINITY) timer = later(Math.max(0, due - now()), wake);
  }

  function wake(): void {
    const at = now();
    for (const { resting } of lines) {
      const stillResting = resting.findIndex(({ due }) => due > at);
      const due = resting.splice(0, stillResting === -1 ? resting.length : stillResting);
      for (const { item } of due) onDue(item);
    }
    arm();
  }

  return {
    add(item, rest) {
      const { restMs, resting } = lines[rest]!;
      resting.push({ item, due: now() + restMs });
      if (resting.length === 1) arm();
    },
    size: () => lines.reduce((sum, { resting }) => sum + resting.length, 0),
    stop: () => clearTimeout(timer),
  };
}
