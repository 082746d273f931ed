import { LRUCache } from 'lru-cache';
import { type BoundStatement, placesOf } from './bind-params.js';
import { refuseOutside } from './refuse-outside.js';
import type { ReadStatement } from './statement.js';

/** The parts of a read that depend only on its text: it is checked, and its parameters are found. */
export interface ReadPlan extends Pick<ReadStatement, 'format'> {
  readonly head: BoundStatement;
  /** Whether the text may have its own SETTINGS clause. */
  readonly ownSettings: boolean;
}

/** @throws EngineError 164 for a read that accesses data outside the engine's tables. */
export function planRead({ head, format }: ReadStatement): ReadPlan {
  refuseOutside(head);
  return { head: placesOf(head), format, ownSettings: /\bSETTINGS\b/i.test(head) };
}

/** Limit of all texts together; a plan contains its text about twice. */
const MAX_CHARACTERS = 4 * 1024 ** 2;
/** Longer texts contain values instead of parameters, so they are not repeated. */
const MAX_TEXT = 64 * 1024;

/** LRU cache of plans, by the text of the statement. */
export type ReadPlans = Pick<LRUCache<string, ReadPlan>, 'get' | 'set'>;

export function createReadPlans(): ReadPlans {
  return new LRUCache<string, ReadPlan>({
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_TEXT,
    sizeCalculation: (_plan, text) => text.length,
  });
}
