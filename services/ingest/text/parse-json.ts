import { repairJson } from './repair-json.js';

/** The value of a JSON text, also of one from a server's log format (`repairJson`); `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  const value = parseStrictly(text);
  if (value !== undefined) return value;
  const repaired = repairJson(text);
  return repaired === null ? undefined : parseStrictly(repaired);
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a record that may have a comma of its list before or after it. */
export function parseJsonRecord(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  let from = 0;
  let to = text.length;
  while (from < to && isCommaOrSpace(text.charCodeAt(from))) from++;
  while (to > from && isCommaOrSpace(text.charCodeAt(to - 1))) to--;
  return to - from === text.length ? undefined : parseJson(text.slice(from, to));
}

function isCommaOrSpace(code: number): boolean {
  return code === 44 || code === 32 || (code >= 9 && code <= 13);
}
