import type { StoredRequest } from '../harness/stored-requests.js';
import { byText, group, iso, lastSeen, type Rows, type Truth, verificationOf } from './counting.js';

/** Violations of robots.txt, counted one by one over rules that are given as data: no file is read here. */

export interface Rule {
  readonly type: 'allow' | 'disallow';
  readonly path: string;
}

export interface Group {
  readonly agents: readonly string[];
  readonly rules: readonly Rule[];
}

/** A version, and when it was found. */
export interface RobotsVersion {
  readonly from: number;
  readonly groups: readonly Group[];
}

export function robotsText(groups: readonly Group[]): string {
  const blocks = groups.map(({ agents, rules }) =>
    [
      ...agents.map((agent) => `User-agent: ${agent}`),
      ...rules.map(({ type, path }) => `${type === 'allow' ? 'Allow' : 'Disallow'}: ${path}`),
    ].join('\n'),
  );
  return `${blocks.join('\n\n')}\n`;
}

/** Crawlers that follow another crawler's group if the file has none for their own name. */
const nextOf = new Map([
  ['Googlebot-Image', 'Googlebot'],
  ['Applebot', 'Googlebot'],
  ['YandexBot', 'Yandex'],
]);
/** Crawlers that ignore `*` and need a group for their name. */
const HEED_NO_STAR = ['AdsBot-Google'];
/** Categories that crawl on their own. Others fetch what a person requested. */
const CRAWLING = ['search', 'ai', 'seo', 'archive', 'advertising'];

function rulesFor(groups: readonly Group[], name: string): readonly Rule[] {
  const tokens = [name, nextOf.get(name) ?? name, ...(HEED_NO_STAR.includes(name) ? [] : ['*'])];
  const ofToken = (token: string) =>
    groups.filter(({ agents }) => agents.some((agent) => agent.toLowerCase() === token.toLowerCase()));
  const found = tokens.map(ofToken).find((own) => own.length > 0) ?? [];
  return found.flatMap(({ rules }) => rules);
}

function matches({ path }: Rule, target: string): boolean {
  const open = path.endsWith('$') ? path.slice(0, -1) : path;
  const source = open
    .split('*')
    .map((part) => part.replace(/[.+?^$(){}|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}${path.endsWith('$') ? '$' : ''}`).test(target);
}

/** The longest matching rule, allow before disallow; null: it is allowed. */
function brokenRule(rules: readonly Rule[], target: string): Rule | null {
  const [best] = rules
    .filter((rule) => matches(rule, target))
    .sort((a, b) => b.path.length - a.path.length || (a.type === 'allow' ? -1 : 1));
  return best === undefined || best.type === 'allow' ? null : best;
}

/** @param versions oldest first */
export function violations(truth: Truth, versions: readonly RobotsVersion[], bot?: string) {
  const ruleOf = (row: StoredRequest) => {
    const standing = versions.findLast(({ from }) => from <= row.timestamp);
    return standing === undefined ? null : brokenRule(rulesFor(standing.groups, row.bot_name), row.target);
  };
  const judged = truth.now.filter(
    (row) =>
      CRAWLING.includes(row.bot_category) &&
      row.ai_intent !== 'fetcher' &&
      verificationOf(row, truth.verdicts) === 'verified' &&
      (bot === undefined || [row.bot_name, row.bot_family].some((name) => name.toLowerCase() === bot)),
  );
  const broken = judged.filter((row) => ruleOf(row) !== null);
  const listed = [...group(broken, (row) => JSON.stringify([row.bot_name, row.path, ruleOf(row)!.path]))].map(
    ([, rows]) => ({ rows, rule: ruleOf(rows[0]!)!.path }),
  );
  return {
    violations: listed.sort(byWeight).map(({ rows, rule }) => ({
      bot_name: rows[0]!.bot_name,
      path: rows[0]!.path,
      requests: rows.length,
      rule: `Disallow: ${rule}`,
      last_seen: lastSeen(rows),
    })),
    violations_total: listed.length,
    violations_complete: true,
    judged_since: iso(Math.max(truth.window.start, versions[0]!.from)),
    violation_summary: Object.fromEntries(
      [...group(broken, (row) => row.bot_name)].map(([name, rows]) => [
        name,
        {
          total_violations: listed.filter((one) => one.rows[0]!.bot_name === name).length,
          total_requests: rows.length,
          unique_paths: new Set(rows.map(({ path }) => path)).size,
        },
      ]),
    ),
  };
}

interface Listed {
  readonly rows: Rows;
  readonly rule: string;
}

const byWeight = (a: Listed, b: Listed) =>
  b.rows.length - a.rows.length ||
  byText(a.rows[0]!.bot_name, b.rows[0]!.bot_name) ||
  byText(a.rows[0]!.path, b.rows[0]!.path) ||
  byText(a.rule, b.rule);
