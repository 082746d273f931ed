import { Gauge, type Registry } from 'prom-client';
import { DAY_MS } from '../durations.js';
import type { Logger } from '../logging/log.js';
import type { ListCheck } from './crawler-list-rows.js';
import type { RuleData } from './crawler-rules.js';

/** An older list has probably changed: addresses of new crawlers are missing, and old ones have other owners. */
const OLD_DAYS = 30;

/** Age of the classification data, in whole days since each download. */
export interface TableAge {
  /** Folder of the crawler table. */
  readonly table: string;
  /** Age of the list that was downloaded last. */
  readonly newest_list_days: number;
  readonly oldest_list_days: number;
  /** Feeds whose newest list is 30 days old or older. */
  readonly old_lists: readonly string[];
  /** Feeds whose last download was refused, with the reason. */
  readonly refused_lists: readonly Pick<ListCheck, 'feed' | 'problem'>[];
}

type Aged = Pick<RuleData, 'table' | 'history'> & { readonly checks?: readonly ListCheck[] };

/** Feeds without any list are left out. @param now milliseconds since the epoch. */
export function tableAge({ table, history, checks = [] }: Aged, now: number): TableAge {
  const ages = [...agesOf(history, now)];
  const days = ages.map(([, age]) => age);
  return {
    table: table.version,
    newest_list_days: Math.min(...days),
    oldest_list_days: Math.max(...days),
    old_lists: ages.filter(([, age]) => age >= OLD_DAYS).map(([feed]) => feed),
    refused_lists: checks
      .filter(({ problem }) => problem !== '')
      .map(({ feed, problem }) => ({ feed, problem })),
  };
}

function* agesOf(history: RuleData['history'], now: number): Generator<[feed: string, days: number]> {
  for (const [feed, snapshots] of history) {
    const last = snapshots.at(-1);
    if (last !== undefined)
      yield [feed, Math.max(0, Math.floor((now - Date.parse(last.retrieved)) / DAY_MS))];
  }
}

interface WatchOptions {
  readonly registry: Registry;
  readonly logger: Logger;
  now(): number;
}

/**
 * Exports the ages as a metric. Logs a warning immediately and then daily while a list is old. @returns a function that
 * stops this.
 */
export function watchTableAge(dataNow: () => Aged, { registry, logger, now }: WatchOptions): () => void {
  new Gauge({
    name: 'loglane_crawler_ranges_age_days',
    help: 'Whole days since the published address ranges of a feed were downloaded (npm run refresh)',
    labelNames: ['feed'],
    registers: [registry],
    collect() {
      for (const [feed, days] of agesOf(dataNow().history, now())) this.set({ feed }, days);
    },
  });
  const warn = () => {
    const { old_lists, oldest_list_days } = tableAge(dataNow(), now());
    if (old_lists.length > 0)
      logger.warn(
        { feeds: old_lists.length, oldest_days: oldest_list_days },
        `published address ranges are ${OLD_DAYS} days old or older, so addresses outside them are unverifiable: let the jobs service fetch, or npm run refresh`,
      );
  };
  warn();
  const timer = setInterval(warn, DAY_MS).unref();
  return () => clearInterval(timer);
}
