import { parseDecimal } from './decimal.js';

/**
 * Reads values as senders write them: numbers as strings, several marks for "nothing". An unreadable value becomes ''
 * or NaN, never 0; the caller decides whether that is a rejection.
 */

/** Text of a string or number; '' for every other type and for '-'. */
export function readText(value: unknown): string {
  if (typeof value === 'string') return value === '-' ? '' : value;
  return typeof value === 'number' ? String(value) : '';
}

/** Text of a header that may be written as a list of its values: the values, with commas between. */
export function readHeader(value: unknown): string {
  if (typeof value === 'string' || !Array.isArray(value)) return readText(value);
  if (value.length === 1) return readText(value[0]);
  return value
    .map(readText)
    .filter((text) => text !== '')
    .join(', ');
}

/** Like {@link readText}, and '' for the words that CDNs write for "nothing". */
export function readWord(value: unknown): string {
  const text = readText(value);
  return text === 'unknown' || text === 'none' || text === 'N/A' || text === 'null' ? '' : text;
}

/** A finite number, also from a decimal string; NaN otherwise. */
export function readNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return Number.NaN;
  const first = value.charCodeAt(0);
  if (first === 45 /* - */) return -parseDecimal(value.slice(1));
  return parseDecimal(first === 43 /* + */ ? value.slice(1) : value);
}

/** Bytes of a response: 0 if the source has none, NaN for invalid text. */
export function readBytes(value: unknown): number {
  if (value === undefined || value === null || value === '' || value === '-') return 0;
  return readNumber(value);
}

/** Whole milliseconds; null for absent, negative or unreadable durations (they are optional everywhere). */
export function readMilliseconds(value: unknown, perUnit = 1): number | null {
  const number = readNumber(value) * perUnit;
  return number >= 0 ? Math.round(number) : null;
}

/** ISO 3166-1 alpha-2 in upper case; '' for anything else, for XX (unknown) and for codes such as T1 (Tor). */
export function readCountry(value: unknown): string {
  if (value === undefined || value === '') return '';
  const code = readText(value).toUpperCase();
  return /^[A-Z]{2}$/.test(code) && code !== 'XX' ? code : '';
}

/** Autonomous system number, also written as AS64500; null when absent or 0. */
export function readAsn(value: unknown): number | null {
  const number = typeof value === 'string' ? readNumber(value.replace(/^AS/i, '')) : readNumber(value);
  return Number.isInteger(number) && number > 0 && number <= 0xffff_ffff ? number : null;
}

/** Media type in lower case without its parameters. */
export function readMediaType(value: unknown): string {
  const text = readWord(value);
  const end = text.indexOf(';');
  return (end === -1 ? text : text.slice(0, end)).trim().toLowerCase();
}
