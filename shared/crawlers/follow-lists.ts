import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../durations.js';
import type { Logger } from '../logging/log.js';
import type { ClickHouseReader } from '../store/client.js';
import { type ListCheck, readCrawlerLists, readListChecks } from './crawler-list-rows.js';
import { type CrawlerRules, createListRules, loadRuleData, type RuleData } from './crawler-rules.js';
import { currentSince, knownBy, type RangeHistory } from './dated-ranges.js';
import { createSharedNetworkOf, type SharedNetworkOf } from './shared-networks.js';
import { createCrawlerIdentifier } from './table.js';
import { type TableAge, tableAge } from './table-age.js';
import type { RangeSnapshot } from './table-schema.js';

/** New lists apply in every process within this time. */
const READ_MS = 10 * MINUTE_MS;
const RETRY_MS = MINUTE_MS;

export interface FollowedLists {
  /** Use the lists known at the time of the call. */
  readonly rules: CrawlerRules;
  readonly sharedNetworkOf: SharedNetworkOf;
  data(): RuleData;
  age(): TableAge;
  /** Resolves after the first attempt to read the stored lists, successful or not. */
  readonly ready: Promise<void>;
  /** Reads the stored lists immediately. @throws as `ClickHouseReader.read` */
  read(): Promise<void>;
  stop(): void;
}

interface FollowOptions {
  readonly reader: ClickHouseReader;
  readonly now: () => number;
  readonly logger: Logger;
  /** Default: the data of this release. */
  readonly base?: RuleData;
}

/**
 * The crawler rules with the lists of this release and those downloaded later. Checks for new ones every ten minutes.
 * While the store is unavailable, the known lists apply.
 */
export function followLists({ reader, now, logger, base = loadRuleData() }: FollowOptions): FollowedLists {
  const dataWith = (lists: readonly RangeSnapshot[]): RuleData => ({
    ...base,
    history: withLists(base.history, lists, now()),
  });
  let data = dataWith([]);
  let known = digestOf(data);
  let checks: readonly ListCheck[] = [];
  let current = createListRules(data);
  let sharedNetworkOf = createSharedNetworkOf(data);

  async function read(): Promise<void> {
    checks = await readListChecks(reader);
    const found = dataWith(await readCrawlerLists(reader));
    const digest = digestOf(found);
    if (digest === known) return;
    data = found;
    current = createListRules(data);
    sharedNetworkOf = createSharedNetworkOf(data);
    known = digest;
  }
  let identifier: CrawlerRules['identify'] | undefined;
  /** Created on demand: only processes that classify requests need it. */
  function identify(userAgent: string) {
    identifier ??= createCrawlerIdentifier(base.table);
    return identifier(userAgent);
  }

  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  async function follow(): Promise<void> {
    let delayMs = READ_MS;
    try {
      await read();
    } catch (error) {
      delayMs = RETRY_MS;
      logger.warn({ err: error }, 'stored crawler lists could not be read');
    }
    if (!stopped) timer = setTimeout(follow, delayMs).unref();
  }
  return {
    ready: follow(),
    rules: {
      identify,
      verifyByRanges: (family, clientIp, at) => current.verifyByRanges(family, clientIp, at),
      networksOf: (family) => current.networksOf(family),
      agentOperatorOf: (clientIp, at) => current.agentOperatorOf(clientIp, at),
      versionAt: (at) => current.versionAt(at),
    },
    sharedNetworkOf: (address, asn, at) => sharedNetworkOf(address, asn, at),
    data: () => data,
    age: () => tableAge({ ...data, checks }, now()),
    read,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function digestOf({ history }: RuleData): string {
  return createHash('sha256')
    .update(JSON.stringify([...history]))
    .digest('hex');
}

/**
 * Merges both histories, oldest list first, as known at `now`. A list in both has its latest download date. Lists of
 * unknown feeds are left out. The first list of a feed always stays: without any, all its crawlers would be classified
 * as spoofed.
 */
export function withLists(history: RangeHistory, lists: readonly RangeSnapshot[], now: number): RangeHistory {
  return new Map(
    [...history].map(([feed, own]) => {
      const bySince = new Map<number, RangeSnapshot>();
      for (const dated of [...own, ...lists.filter((one) => one.feed === feed)]) {
        const list = knownBy(dated, now);
        if (list === null) continue;
        const known = bySince.get(currentSince(list));
        if (known === undefined || known.retrieved <= list.retrieved) bySince.set(currentSince(list), list);
      }
      const all = [...bySince.values()].sort((a, b) => currentSince(a) - currentSince(b));
      return [feed, all.length === 0 ? own.slice(0, 1) : all];
    }),
  );
}
