import { cleanData } from './clean-text.js';

/** Shortens and cleans a read's answer for the model. */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** @param length the number of remaining entries per list: the first, or the newest if the list is ordered by time */
export function cleanTexts(value: unknown, length: number): Json {
  if (typeof value === 'string') return cleanData(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return firstOf(value, length).map((each) => cleanTexts(each, length));
  if (typeof value !== 'object' || value === null) return null;
  // Keys are cleaned too: those of series come from the log.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [cleanData(name), cleanTexts(each, length)]),
  );
}

function firstOf(list: readonly unknown[], length: number): readonly unknown[] {
  const [first] = list;
  const isByTime = typeof first === 'object' && first !== null && Object.hasOwn(first, 'time');
  return isByTime ? list.slice(Math.max(0, list.length - length)) : list.slice(0, length);
}
