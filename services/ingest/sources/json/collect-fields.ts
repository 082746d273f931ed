import { readHeader } from '../util/coerce.js';
import type { JsonRecord } from '../util/source.js';
import {
  type Field,
  fields,
  foldName,
  type Known,
  knownNames,
  knownObjects,
  LONGEST_NAME,
} from './json-names.js';

/** A field's value under its most specific name. */
export interface FoundField {
  /** Null if the record has no name of the field. */
  readonly known: Known | null;
  /** '' also if the record has the name without a value. */
  readonly text: string;
}

export type FoundFields = Readonly<Record<Field, FoundField>>;

/** Mutable, so that a more specific name's value can replace another. */
interface Place {
  known: Known | null;
  text: string;
}

/** The meaning of a key at its place. */
interface Slot {
  readonly known: Known;
  readonly place: Place;
}

/** Cached facts about a key. */
interface Meaning {
  readonly key: string;
  readonly slot: Slot | null;
  /** Set if it may be an object with fields. */
  readonly object: Level | null;
}

interface Level {
  /** Folded name of the object; '' for the record. */
  readonly name: string;
  readonly meanings: Map<string, Meaning>;
  /** Facts about the keys of the last record, in order: most records have the same keys. */
  readonly order: Meaning[];
}

/** Most keys per object whose meaning is cached; records of one upload have the same keys. */
const MOST_KEYS = 256;

/**
 * @returns a function that finds the fields of a request in a record under all known names. It caches the keys. Its
 * result is valid until the next call.
 */
export function createFieldCollector(): (record: JsonRecord) => FoundFields {
  const levels = new Map<string, Level>();
  const places = fields.map((): Place => ({ known: null, text: '' }));
  const found = Object.fromEntries(fields.map((field, index) => [field, places[index]!])) as Record<
    Field,
    Place
  >;
  const record = levelOf('');

  function levelOf(name: string): Level {
    let level = levels.get(name);
    if (level === undefined) {
      level = { name, meanings: new Map(), order: [] };
      levels.set(name, level);
    }
    return level;
  }

  function meaningOf(level: Level, key: string): Meaning {
    const kept = level.meanings.get(key);
    if (kept !== undefined) return kept;
    const meaning = lookUp(level, key);
    if (level.meanings.size < MOST_KEYS && key.length <= LONGEST_NAME) level.meanings.set(key, meaning);
    return meaning;
  }

  function lookUp(level: Level, key: string): Meaning {
    const folded = key.length > LONGEST_NAME ? '' : foldName(key);
    // An empty key would lead to the same object without end.
    if (folded === '') return { key, slot: null, object: null };
    const name = level.name + folded;
    const known = knownNames.get(name);
    return {
      key,
      slot:
        known === undefined || !key.toLowerCase().endsWith(known.header)
          ? null
          : { known, place: found[known.field] },
      object: knownObjects.has(name) ? levelOf(name) : null,
    };
  }

  function collect(from: JsonRecord, level: Level): void {
    const keys = Object.keys(from);
    const { order } = level;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      let meaning = index < order.length ? order[index]! : null;
      if (meaning === null || meaning.key !== key) {
        meaning = meaningOf(level, key);
        if (index < MOST_KEYS && key.length <= LONGEST_NAME && index <= order.length) order[index] = meaning;
      }
      const { slot, object } = meaning;
      if (slot === null && object === null) continue;
      const value = from[key];
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        if (object !== null) collect(value as JsonRecord, object);
      } else if (slot !== null) offer(slot, value);
    }
  }

  return (from) => {
    for (const place of places) {
      place.known = null;
      place.text = '';
    }
    collect(from, record);
    return found;
  };
}

function offer({ known, place }: Slot, value: unknown): void {
  const text = readHeader(value);
  const best = place.known;
  if (best === null || (text !== '' && (place.text === '' || known.rank < best.rank))) {
    place.known = known;
    place.text = text;
  }
}
