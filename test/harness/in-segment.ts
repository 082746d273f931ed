import { normalRule } from '../../shared/control/aggregates/normal-rule.js';
import type { SegmentRule } from '../../shared/control/domain/model.js';
import type { SegmentRules } from '../../shared/reads/sql/segment-conditions.js';

/** Whether a request is in a segment, told without the engine (spec §2.5). Its regexes must mean the same in RE2. */
export function inSegment(
  { rules, excludeRules }: SegmentRules,
  request: { readonly path: string; readonly query: string },
): boolean {
  const holds = (rule: SegmentRule) => ruleHolds(spelled(rule), request) || decodedHolds(rule, request);
  return rules.some(holds) && !excludeRules.some(holds);
}

const known = new WeakMap<SegmentRule, SegmentRule>();

/** As it meets requests. A rule is asked of many. */
function spelled(rule: SegmentRule): SegmentRule {
  const normal = known.get(rule) ?? normalRule(rule);
  known.set(rule, normal);
  return normal;
}

/** A regex as it was written, and the path without its escapes. The engine decodes none that begins in the two characters behind a stray `%`. */
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
