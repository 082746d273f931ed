import { cleanData } from './clean-text.js';

/** Bytes of one result; a token is a byte at least. */
const MOST_BYTES = 8 * 1024;
/** Entries of a list, tried in this order until the result is short enough. */
const LENGTHS = [12, 8, 5, 3, 1, 0];

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/**
 * An answer as the model is shown it: lists cut to their first entries, or to their newest where they are told by time, texts cleaned.
 * @returns null where nothing short enough is left.
 */
export function toToolResult(answer: unknown): Json {
  for (const length of LENGTHS) {
    const result = shrink(answer, length);
    if (Buffer.byteLength(JSON.stringify(result)) <= MOST_BYTES) return result;
  }
  return null;
}

function shrink(value: unknown, length: number): Json {
  if (typeof value === 'string') return cleanData(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return firstOf(value, length).map((each) => shrink(each, length));
  if (typeof value !== 'object' || value === null) return null;
  // By its entries: names may be of the log, too, as those of series are.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [cleanData(name), shrink(each, length)]),
  );
}

/** Of what is told by time the newest, of other lists the first. */
function firstOf(list: readonly unknown[], length: number): readonly unknown[] {
  const [first] = list;
  const isByTime = typeof first === 'object' && first !== null && Object.hasOwn(first, 'time');
  return isByTime ? list.slice(Math.max(0, list.length - length)) : list.slice(0, length);
}

/** How the model is given a result. Nothing in it can hold the delimiter (`cleanData`). */
export function markedAsData(result: Json): string {
  return `<data>\n${JSON.stringify(result)}\n</data>`;
}
