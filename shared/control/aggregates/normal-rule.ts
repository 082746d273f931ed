import { normalPath, normalSpelling } from '../../urls/normal-spelling.js';
import type { SegmentRule } from '../domain/model.js';

/** The rule as it meets paths and query strings, which are stored in normal spelling. The rule itself stays as it was written. */
export function normalRule({ type, value }: SegmentRule): SegmentRule {
  return { type, value: normalValue[type](value) };
}

const normalValue: Record<SegmentRule['type'], (value: string) => string> = {
  exact: normalPath,
  prefix: normalPrefix,
  contains: normalSpelling,
  query: normalSpelling,
  regex: normalRegex,
};

/** Its last segment may be the beginning of another: `/.` is one of `/.well-known`. */
function normalPrefix(value: string): string {
  const end = value.lastIndexOf('/') + 1;
  return normalPath(value.slice(0, end)) + normalSpelling(value.slice(end));
}

/**
 * A class of digits behind a percent sign, once or twice; a class in brackets; an escape of the regex; or what may have another spelling. A bracket without its end is
 * left to the engine.
 */
const PARTS =
  /%(?:\[[0-9A-Fa-f-]+\](?:\{2\})?){1,2}|\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|%[0-9A-Fa-f]{2}|\P{ASCII}/gsu;

/**
 * Characters beyond ASCII and escapes of URLs in normal spelling, each as one element, so that a repetition repeats the whole of it. Digits of an escape are of either
 * case. Other classes stay: a class is of single characters, and meets them in the decoded path. A quoted text (`\Q`) stays too.
 */
function normalRegex(pattern: string): string {
  if (pattern.includes('\\Q')) return pattern;
  return pattern.replace(PARTS, (part) => {
    if (part.startsWith('[') || part.startsWith('\\')) return part;
    if (part.startsWith('%[')) return `%(?i:${part.slice(1)})`;
    const normal = normalSpelling(part);
    if (normal === '.') return '\\.';
    return normal.length === 1 ? normal : `(?:${normal})`;
  });
}
