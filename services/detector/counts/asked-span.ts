import type { CountedLists } from './span-counts.js';

/** A span whose counts are needed, milliseconds since the epoch. `end` is exclusive. */
export interface AskedSpan {
  readonly start: number;
  readonly end: number;
  readonly lists: CountedLists;
}
