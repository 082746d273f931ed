import { normalPath, normalSpelling } from '../../urls/normal-spelling.js';
import type { SegmentRule } from '../domain/model.js';

/**
 * The rule as it is applied to stored paths and query strings, which have normal spelling. The stored rule stays as
 * written.
 */
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

/** Its last segment may be the beginning of a longer one: `/.` is a prefix of `/.well-known`. */
function normalPrefix(value: string): string {
  const end = value.lastIndexOf('/') + 1;
  return normalPath(value.slice(0, end)) + normalSpelling(value.slice(end));
}

/**
 * One or two classes of digits after a percent sign; a class in brackets; an escape of the regex; or text that may need
 * another spelling. The engine handles an unclosed bracket.
 */
const PARTS =
  /%(?:\[[0-9A-Fa-f-]+\](?:\{2\})?){1,2}|\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|%[0-9A-Fa-f]{2}|\P{ASCII}/gsu;

/**
 * Converts non-ASCII characters and URL escapes to normal spelling, each as one element, so that a repetition repeats
 * it completely. Digits of an escape match either case. Other classes stay: a class contains single characters, which
 * match the decoded path. Quoted text (`\Q`) stays too.
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
