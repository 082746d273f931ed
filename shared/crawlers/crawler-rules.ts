import { createHash } from 'node:crypto';
import { type AgentOperatorOf, createAgentOperatorOf } from './agent-operator.js';
import { type AtMoment, byLists, currentSince, type RangeHistory } from './dated-ranges.js';
import { genericRules } from './generic-bot.js';
import { type CrawlerTable, loadCrawlerTable, loadFeeds, loadRangeHistory } from './load-table.js';
import { createRangeVerifier, type VerifyByRanges } from './range-verifier.js';
import { type CrawlerIdentity, createCrawlerIdentifier } from './table.js';
import type { Feed } from './table-schema.js';

/** All rules that classify requests: the crawler table, and the published ranges of each day. */
export interface CrawlerRules {
  readonly identify: (userAgent: string) => CrawlerIdentity | null;
  readonly verifyByRanges: VerifyByRanges;
  /** Autonomous systems that a family's operator documents as its own; usually empty. */
  readonly networksOf: (family: string) => ReadonlySet<number>;
  readonly agentOperatorOf: AgentOperatorOf;
  /**
   * Version of the rules for a request at this time, e.g. `2026-11/2026-08-21/1f0c9a3b`: the table's month, the day of
   * the newest applicable range list, and a digest of all rules. Equal texts mean equal rules.
   */
  readonly versionAt: AtMoment<string>;
}

export interface RuleData {
  readonly table: CrawlerTable;
  readonly feeds: readonly Feed[];
  readonly history: RangeHistory;
}

/** Increase it when the code classifies the same request with the same data differently. */
const JUDGEMENT = 3;
const DIGEST_DIGITS = 8;

/** @throws Error if a feed in use has no snapshot. */
export function createCrawlerRules(data: RuleData): CrawlerRules {
  return { identify: createCrawlerIdentifier(data.table), ...createListRules(data) };
}

/** Rules that depend on the lists; rebuilt when lists change. */
export type ListRules = Omit<CrawlerRules, 'identify'>;

/** @throws Error if a feed in use has no snapshot. */
export function createListRules({ table, feeds, history }: RuleData): ListRules {
  return {
    verifyByRanges: createRangeVerifier(table.families, feeds, history),
    networksOf: createNetworksOf(table.families),
    agentOperatorOf: createAgentOperatorOf(feeds, history),
    versionAt: createVersionAt({ table, feeds, history }),
  };
}

function createVersionAt({ table, feeds, history }: RuleData): AtMoment<string> {
  const { version, ...entries } = table;
  const agentFeeds = feeds.filter(({ agents_only }) => agents_only).map(({ name }) => name);
  const named = new Set([...table.families.flatMap((family) => family.feeds ?? []), ...agentFeeds]);
  const used = feeds.filter(({ name }) => named.has(name));
  const month = version.replace('crawlers-', '');
  return byLists(used, history, (current) => {
    const lists = current.map(({ snapshot, age }) => [snapshot.feed, snapshot.prefixes, age]).sort();
    const all = [JUDGEMENT, entries, agentFeeds.toSorted(), genericRules(), lists];
    const digest = createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, DIGEST_DIGITS);
    const newest = Math.max(0, ...current.map(({ snapshot }) => currentSince(snapshot)));
    return `${month}/${new Date(newest).toISOString().slice(0, 10)}/${digest}`;
  });
}

const NO_NETWORKS: ReadonlySet<number> = new Set();

function createNetworksOf(families: CrawlerTable['families']): CrawlerRules['networksOf'] {
  const ofFamily = new Map(families.map(({ name, networks }) => [name, new Set(networks)]));
  return (family) => ofFamily.get(family) ?? NO_NETWORKS;
}

/** Data shipped with this release. */
export function loadRuleData(): RuleData {
  return { table: loadCrawlerTable(), feeds: loadFeeds(), history: loadRangeHistory() };
}
