import type { ClickHouseReader } from '../../store/client.js';
import { statusClasses } from '../answer/figures.js';
import { unspoofed } from '../bots/crawler-scope.js';
import { servedOnly } from '../sql/filters.js';
import { bots, crawlerPaths, volumeTables } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select, selectList, selectTotal } from '../sql/select.js';
import { aiClaims, pagesOnly } from './ai-claims.js';

/** The selections of llms. */

/** Requests of all clients. @throws as ClickHouseReader.read, like the other reads */
export function readAllRequests(reader: ClickHouseReader, scope: Scope) {
  return selectTotal(reader, scope, {
    name: 'llms.all_requests',
    from: volumeTables,
    metrics: ['requests'],
    previous: ['requests'],
  });
}

/** Claims of AI crawlers by name and by intent, including those of impostors. */
export function readClaims(reader: ClickHouseReader, scope: Scope) {
  return select(reader, scope, {
    name: 'llms.claims',
    from: [bots],
    lists: {
      crawlers: { by: ['bot_name'], withPast: true },
      intents: { by: ['ai_intent'], withPast: true },
    },
    foldedHere: true,
    metrics: [
      'unspoofed_requests',
      'verified_requests',
      'spoofed_requests',
      'unverifiable_requests',
      'pending_requests',
      'served_requests',
      'served_spoofed',
      'rejected_requests',
      'rejected_spoofed',
      'status_402',
      'spoofed_402',
      'last_seen',
    ],
    previous: ['unspoofed_requests'],
    latest: ['bot_operator', 'ai_intent'],
    where: [aiClaims],
  });
}

/** A crawler with its figures. */
export type CrawlerClaims = Awaited<ReturnType<typeof readClaims>>['crawlers'][number];

/** Requests of AI crawlers over time, without those of impostors. */
export function readSeries(reader: ClickHouseReader, scope: Scope, granularity: 'hour' | 'day') {
  return selectList(reader, scope, {
    name: 'llms.series',
    from: [bots],
    by: ['bot_name'],
    overTime: true,
    time: granularity,
    metrics: ['requests'],
    where: [aiClaims, unspoofed],
  });
}

/** Number of pages served: to any AI crawler, by intent, by crawler. */
export async function readServedPages(reader: ClickHouseReader, scope: Scope) {
  const { total, intents, crawlers } = await select(reader, scope, {
    name: 'llms.served_pages',
    from: [crawlerPaths],
    lists: {
      total: { by: [] },
      intents: { by: ['ai_intent'], withPast: true },
      crawlers: { by: ['bot_name'], withPast: true },
    },
    metrics: ['requests'],
    previous: ['requests'],
    distinct: ['path'],
    where: [aiClaims, unspoofed, pagesOnly, servedOnly],
  });
  return { total: total[0]!, intents, crawlers };
}

/** The pages that AI crawlers requested most, and the number of all such pages. */
export async function readPages(reader: ClickHouseReader, scope: Scope, limit: number) {
  const { list, total } = await select(reader, scope, {
    name: 'llms.pages',
    from: [crawlerPaths],
    lists: { list: { by: ['path'], limit }, total: { by: [] } },
    metrics: ['requests', ...statusClasses, 'rejected_requests', 'status_402'],
    distinct: ['bot_name', 'path'],
    where: [aiClaims, unspoofed, pagesOnly],
  });
  return { list, total: total[0]!.distinct_path };
}
