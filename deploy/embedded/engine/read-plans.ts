import { LRUCache } from 'lru-cache';
import { type BoundStatement, placesOf } from './bind-params.js';
import { refuseOutside } from './refuse-outside.js';
import type { ReadStatement } from './statement.js';

/** A read as its text alone decides it: checked, and with its parameters' places found. */
export interface ReadPlan extends Pick<ReadStatement, 'format'> {
  readonly head: BoundStatement;
  /** The text has a SETTINGS clause of its own, perhaps. */
  readonly ownSettings: boolean;
}

/** @throws EngineError 164 for a read that reaches beyond the engine's tables. */
export function planRead({ head, format }: ReadStatement): ReadPlan {
  refuseOutside(head);
  return { head: placesOf(head), format, ownSettings: /\bSETTINGS\b/i.test(head) };
}

/** Together; a plan holds its text about twice. */
const MAX_CHARACTERS = 4 * 1024 ** 2;
/** A longer text carries values that should be parameters, and does not come again. */
const MAX_TEXT = 64 * 1024;

/** Plans by their statements' texts, the least recently used forgotten first. */
export type ReadPlans = Pick<LRUCache<string, ReadPlan>, 'get' | 'set'>;

export function createReadPlans(): ReadPlans {
  return new LRUCache<string, ReadPlan>({
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_TEXT,
    sizeCalculation: (_plan, text) => text.length,
  });
}
