import { repairJson } from './repair-json.js';

/** The value of a JSON text, also of one that a server's log format wrote (`repairJson`); `undefined` where it is none (no JSON text means undefined). */
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
