import { readHeader } from './coerce.js';
import { type Field, foldName, type Known, knownNames, knownObjects, LONGEST_NAME } from './json-names.js';
import type { JsonRecord } from './source.js';

/** A field's value under its most telling name. */
export interface FoundField {
  readonly known: Known;
  /** '' where the record has the name, and nothing under it. */
  readonly text: string;
}

export type FoundFields = ReadonlyMap<Field, FoundField>;

/** What a key stands for where it is found. */
interface Slot {
  readonly known: Known | undefined;
  /** Where it may be an object with fields of its own. */
  readonly object: Level | undefined;
}

interface Level {
  /** Folded name of the object; '' of the record. */
  readonly name: string;
  readonly slots: Map<string, Slot>;
}

/** Records of one upload have the same keys: what they stand for is kept, of so many in each object. */
const MOST_SLOTS = 256;

/** @returns a function that finds the fields of a request in a record, whatever they are called. It remembers the keys it has seen. */
export function createFieldCollector(): (record: JsonRecord) => FoundFields {
  const levels = new Map<string, Level>();

  function levelOf(name: string): Level {
    let level = levels.get(name);
    if (level === undefined) {
      level = { name, slots: new Map() };
      levels.set(name, level);
    }
    return level;
  }

  function slotOf(level: Level, key: string): Slot {
    const kept = level.slots.get(key);
    if (kept !== undefined) return kept;
    const slot = lookUp(level, key);
    if (level.slots.size < MOST_SLOTS && key.length <= LONGEST_NAME) level.slots.set(key, slot);
    return slot;
  }

  function lookUp(level: Level, key: string): Slot {
    const folded = key.length > LONGEST_NAME ? '' : foldName(key);
    // A key of nothing would lead to the same object without end.
    if (folded === '') return nothing;
    const name = level.name + folded;
    return { known: knownNames.get(name), object: knownObjects.has(name) ? levelOf(name) : undefined };
  }

  function collect(record: JsonRecord, level: Level, found: Map<Field, Offered>): void {
    for (const key of Object.keys(record)) {
      const { known, object } = slotOf(level, key);
      if (known === undefined && object === undefined) continue;
      const value = record[key];
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        if (object !== undefined) collect(value as JsonRecord, object, found);
      } else if (known !== undefined) offer(known, value, found);
    }
  }

  return (record) => {
    const found = new Map<Field, Offered>();
    collect(record, levelOf(''), found);
    return found;
  };
}

const nothing: Slot = { known: undefined, object: undefined };

/** Mutable, so that a better name's value takes the place of another. */
interface Offered {
  known: Known;
  text: string;
}

function offer(known: Known, value: unknown, found: Map<Field, Offered>): void {
  const text = readHeader(value);
  const best = found.get(known.field);
  if (best === undefined) found.set(known.field, { known, text });
  else if (text !== '' && (best.text === '' || known.rank < best.known.rank)) {
    best.known = known;
    best.text = text;
  }
}
