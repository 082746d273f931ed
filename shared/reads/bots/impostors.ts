import type { ClickHouseReader } from '../../store/client.js';
import { sumsOf } from '../answer/figures.js';
import { previousOf } from '../answer/previous.js';
import { groupByTime } from '../answer/time-buckets.js';
import { oneOf } from '../sql/filters.js';
import { mayHaveLateImpostors, withLateVerdicts } from '../sql/late-verdicts.js';
import { bots } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select } from '../sql/select.js';

/**
 * Impostors that were detected late. A claim that was pending when it was stored is in the class that it claims. After the verdict spoofed,
 * reads move it to the class of spoofed bots.
 */

const classes = ['search_bot_requests', 'ai_bot_requests', 'other_bot_requests'] as const;

/** Requests to move, by their claimed class. */
export type LateSpoofed = Readonly<Record<(typeof classes)[number], number>>;

export const noneLate: LateSpoofed = sumsOf(classes, []);

/** @param rows by category (the enricher's rule: shared/crawlers/judge-request.ts). */
export function lateByClass(rows: readonly { bot_category: string; requests: number }[]): LateSpoofed {
  return rows.reduce(addLate, noneLate);
}

/** @returns the sums plus these requests, each in the class of its category. */
export function addLate(
  late: LateSpoofed,
  { bot_category, requests }: { readonly bot_category: string; readonly requests: number },
): LateSpoofed {
  const name = classes.find((one) => one === `${bot_category}_bot_requests`) ?? 'other_bot_requests';
  return { ...late, [name]: late[name] + requests };
}

/** The row with these requests moved to the class of spoofed bots. */
export function moveLate<Row extends LateSpoofed & { spoofed_bot_requests: number }>(
  row: Row,
  late: LateSpoofed,
): Row {
  const { search_bot_requests: search, ai_bot_requests: ai, other_bot_requests: other } = late;
  return {
    ...row,
    search_bot_requests: row.search_bot_requests - search,
    ai_bot_requests: row.ai_bot_requests - ai,
    other_bot_requests: row.other_bot_requests - other,
    spoofed_bot_requests: row.spoofed_bot_requests + search + ai + other,
  };
}

/** Claims that a later verdict can move. */
export const pendingOnly = oneOf('bot_verification', ['pending']);

/** Late impostors by hour (its start in milliseconds) and of the previous window. */
export async function readLateSpoofed(
  reader: ClickHouseReader,
  scope: Scope,
): Promise<{ byHour: ReadonlyMap<number, LateSpoofed>; previous: LateSpoofed }> {
  const known = await withLateVerdicts(reader, scope);
  if (!mayHaveLateImpostors(known)) return { byHour: new Map(), previous: noneLate };
  const { hours, categories } = await select(reader, known, {
    name: 'impostors.late',
    from: [bots],
    lists: {
      hours: { by: ['bot_category'], overTime: true },
      categories: { by: ['bot_category'], withPast: true },
    },
    foldedHere: true,
    time: 'hour',
    metrics: ['late_spoofed_requests'],
    previous: ['late_spoofed_requests'],
    where: [pendingOnly],
  });
  return {
    byHour: new Map([...groupByTime(hours)].map(([time, rows]) => [time, lateByClass(rows.map(toRequests))])),
    previous: lateByClass(categories.map(previousOf).map(toRequests)),
  };
}

function toRequests(row: { bot_category: string; late_spoofed_requests: number }) {
  return { bot_category: row.bot_category, requests: row.late_spoofed_requests };
}
