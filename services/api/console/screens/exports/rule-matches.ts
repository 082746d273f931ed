import { normalRule } from '../../../../../shared/control/aggregates/normal-rule.js';

export type RuleType = 'prefix' | 'contains' | 'exact' | 'regex' | 'query';

export interface Rule {
  readonly type: RuleType;
  readonly value: string;
}

export const ruleTypes: ReadonlyMap<RuleType, string> = new Map([
  ['prefix', 'path begins with'],
  ['contains', 'path contains'],
  ['exact', 'path is'],
  ['regex', 'path matches the regex (RE2)'],
  ['query', 'query string contains'],
]);

/**
 * Whether a rule matches a path; null: only the server can evaluate it. Paths have no query string, and the browser's regexes
 * differ from RE2 and may backtrack.
 */
export function ruleMatches(rule: Rule, path: string): boolean | null {
  if (rule.type === 'regex' || rule.type === 'query') return null;
  if (rule.value === '') return false;
  const { type, value } = normalRule(rule);
  if (type === 'contains') return path.includes(value);
  return type === 'exact' ? path === value : path.startsWith(value);
}
