import type { RangeHold } from './hold-range.js';
import type { PreparedRange } from './prepare-range.js';
import type { BlockMemory } from './repeated-blocks.js';

/** What a range leaves out because it was stored before, and what it is remembered by itself. */
export interface RepeatFilter {
  /** The range without its repeats. When the range before is done: what that stored is known then. */
  leaveOutRepeats(range: PreparedRange): Promise<PreparedRange>;
  /** After the range is stored, and before it is done. */
  remember(stored: PreparedRange): Promise<void>;
}

export interface RepeatFilterDependencies {
  readonly memory: BlockMemory;
  readonly hold: RangeHold;
  /** The range again without these records, under its token. */
  leaveOut(range: PreparedRange, offsets: Iterable<number>): Promise<PreparedRange>;
  onFailure(error: unknown, retryInMs: number): void;
  readonly delays?: { readonly firstMs: number; readonly longestMs: number };
}

const DELAYS = { firstMs: 100, longestMs: 5_000 };

/** Tries again for as long as the store is away, as inserts do. */
export function createRepeatFilter({
  memory,
  hold,
  leaveOut,
  onFailure,
  delays = DELAYS,
}: RepeatFilterDependencies): RepeatFilter {
  async function ask<T>(range: PreparedRange, question: () => Promise<T>): Promise<T> {
    for (let delay = delays.firstMs; ; delay = Math.min(2 * delay, delays.longestMs)) {
      try {
        return await question();
      } catch (error) {
        hold.requireNotLost();
        onFailure(error, delay);
        await hold.pause(range, delay);
      }
    }
  }

  return {
    async leaveOutRepeats(range) {
      const repeats = await ask(range, () => memory.findRepeats(range.records));
      return repeats.size === 0 ? range : leaveOut(range, repeats);
    },
    async remember(stored) {
      const dead = new Set(stored.dead.map(({ record }) => record.offset));
      const kept = stored.records.filter(
        ({ offset }) => !dead.has(offset) && !stored.plan.leftOut.has(offset),
      );
      await ask(stored, () => memory.remember(kept, stored.token));
    },
  };
}
