import { normalRule } from '../../shared/control/aggregates/normal-rule.js';
import type { SegmentRule } from '../../shared/control/domain/model.js';
import type { SegmentRules } from '../../shared/reads/sql/segment-conditions.js';

/**
 * Whether a request is in a segment, computed without the engine (spec §2.5). Its regexes must mean the same
 * in RE2.
 */
export function inSegment(
  { rules, excludeRules }: SegmentRules,
  request: { readonly path: string; readonly query: string },
): boolean {
  const holds = (rule: SegmentRule) => ruleHolds(spelled(rule), request) || decodedHolds(rule, request);
  return rules.some(holds) && !excludeRules.some(holds);
}

const known = new WeakMap<SegmentRule, SegmentRule>();

/** In the form in which it is compared with requests. A rule is used many times. */
function spelled(rule: SegmentRule): SegmentRule {
  const normal = known.get(rule) ?? normalRule(rule);
  known.set(rule, normal);
  return normal;
}

/**
 * A regex is compared unchanged with the path without its escapes. The engine does not decode an escape that
 * begins in the two characters after a stray `%`.
 */
function decodedHolds({ type, value }: SegmentRule, { path }: { readonly path: string }): boolean {
  if (type !== 'regex' || !path.includes('%')) return false;
  const bytes = path.replace(/%(..)/g, (text, digits) =>
    /^[0-9A-F]{2}$/i.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : text,
  );
  return new RegExp(value, 'su').test(Buffer.from(bytes, 'latin1').toString('utf8'));
}

function ruleHolds({ type, value }: SegmentRule, { path, query }: { path: string; query: string }): boolean {
  switch (type) {
    case 'prefix':
      return path.startsWith(value);
    case 'contains':
      return path.includes(value);
    case 'exact':
      return path === value;
    case 'regex':
      return new RegExp(value, 'su').test(path);
    case 'query':
      return `&${query}`.includes(value);
  }
}
