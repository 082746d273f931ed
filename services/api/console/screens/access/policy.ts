import type { Answer } from '../../api/operations.js';

type Group = Answer<'getRobots'>['rule_groups'][number];

/**
 * The group of robots.txt that a crawler follows: its own name, else the name before its last hyphens (Googlebot-Image:
 * Googlebot), else `*`. Case does not count (RFC 9309 §2.2.1).
 */
export function groupOf(bot: string, groups: readonly Group[]): Group | null {
  const byName = new Map(groups.map((group) => [group.user_agent.toLowerCase(), group]));
  const parts = bot.toLowerCase().split('-');
  while (parts.length > 0) {
    const group = byName.get(parts.join('-'));
    if (group !== undefined) return group;
    parts.pop();
  }
  return byName.get('*') ?? null;
}

/** Summary of a group. @param groups null: no version in force is known. */
export function policyOf(groups: readonly Group[] | null, group: Group | null): string {
  if (groups === null) return 'not known';
  const rules = (group?.rules ?? []).filter(({ path }) => path !== '');
  const forbidden = rules.filter(({ type }) => type === 'disallow');
  if (forbidden.length === 0) return 'everything allowed';
  const forbidsAll = forbidden.some(({ path }) => path === '/' || path === '/*' || path === '*');
  if (!forbidsAll) return `parts forbidden (${forbidden.length})`;
  return rules.some(({ type }) => type === 'allow') ? 'forbidden but for parts' : 'everything forbidden';
}
