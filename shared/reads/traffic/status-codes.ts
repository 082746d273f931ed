import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { unlessTooLong } from '../../store/store-errors.js';
import { answer } from '../answer/answer.js';
import {
  botRequests,
  bytesSent,
  count,
  deltaPct,
  humanRequests,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
  statusClassCounts,
} from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { statusCategories, statusCategory, toStatusCategory } from '../answer/status-category.js';
import { everyBucket, groupByTime, isPartial } from '../answer/time-buckets.js';
import { answerWindow, comparedWindow, compareWindows } from '../answer/windows.js';
import { oneOf } from '../sql/filters.js';
import { volumeTables } from '../sql/read-tables.js';
import type { Scope, Window } from '../sql/scope.js';
import { select } from '../sql/select.js';

const compared = {
  requests: requestCount,
  share_pct: sharePct,
  previous_requests: previousRequests,
  delta_pct: deltaPct,
};

export const statusCodes = answer({
  schema: z.object({
    ...comparedWindow,
    total_requests: count('All requests.'),
    status_codes: z
      .array(
        z.object({
          status: z.int().openapi({ description: '0: the client left before the response.' }),
          status_category: statusCategory,
          ...compared,
          human_requests: humanRequests,
          bot_requests: botRequests,
          bytes_sent: bytesSent,
        }),
      )
      .openapi({ description: 'Most requests first.' }),
    status_categories: z
      .array(z.object({ status_category: statusCategory, ...compared }))
      .openapi({ description: 'All classes, in their order, with zeros.' }),
    hourly: z.array(
      z.object({
        time: instant.openapi({ description: 'Start of the hour.' }),
        partial: z.boolean().openapi({
          description:
            'true: the hour extends beyond the window or has not ended; only requests inside the window are counted. In a rolling window: usually the first and the last one.',
        }),
        requests: requestCount,
        ...statusClassCounts,
        statuses: z.record(z.string(), z.int()).openapi({
          description:
            'Requests by status; statuses without requests are absent. If there are very many statuses, only the most frequent ones of the window are included (10 to 100, fewer for a longer window); the classes count all.',
          example: { 200: 912, 404: 31 },
        }),
      }),
    ),
    previous: z.object({ window: answerWindow, total_requests: count('Requests in that window.') }),
    deltas: z.object({ total_requests_pct: deltaPct }),
  }),
  from: [volumeTables],
  async read(reader, scope) {
    const [time, { statuses, classes, hours }] = await Promise.all([
      compareWindows(reader, scope),
      readStatuses(reader, scope),
    ]);
    const statusesAt = groupByTime(hours);
    const total = sum(statuses);
    const previousTotal = sum(statuses.map(({ previous_requests: requests }) => ({ requests })));
    const compare = (requests: number, earlier: number) => ({
      requests,
      share_pct: percentOf(requests, total),
      previous_requests: earlier,
      delta_pct: time.change.pct(requests, earlier),
    });
    return {
      ...time.windows,
      total_requests: total,
      status_codes: statuses
        .filter(({ requests }) => requests > 0)
        .map(({ status, requests, previous_requests, human_requests, bytes_sent }) => ({
          status,
          status_category: toStatusCategory(status),
          ...compare(requests, previous_requests),
          human_requests,
          bot_requests: requests - human_requests,
          bytes_sent,
        })),
      status_categories: statusCategories.map((category) => {
        const ofCategory = statuses.filter(({ status }) => toStatusCategory(status) === category);
        const earlier = sum(ofCategory.map(({ previous_requests: requests }) => ({ requests })));
        return { status_category: category, ...compare(sum(ofCategory), earlier) };
      }),
      hourly: everyBucket(
        scope.window,
        'hour',
        [...groupByTime(classes)].map(([start, rows]) => ({ time: start, rows })),
        (start, hour) => toHour(scope.window, start, hour?.rows ?? [], statusesAt.get(start) ?? []),
      ),
      previous: { window: time.previous, total_requests: previousTotal },
      deltas: { total_requests_pct: time.change.pct(total, previousTotal) },
    };
  },
});

const byStatus = {
  name: 'status_codes.hours',
  from: volumeTables,
  time: 'hour',
  metrics: ['requests', 'human_requests', 'bytes_sent'],
  previous: ['requests'],
} as const;

const byClass = {
  statuses: { by: ['status'], withPast: true },
  classes: { by: ['status_class'], overTime: true },
} as const;

/** Maximum rows of the hours' statuses in one read: a log may have a thousand statuses in each hour. */
const MOST_OF_HOURS = 100_000;

async function readStatuses(reader: ClickHouseReader, scope: Scope) {
  const within: ClickHouseReader = {
    ...reader,
    read: (query) => reader.read({ ...query, mostRows: MOST_OF_HOURS }),
  };
  const all = await unlessTooLong(
    select(within, scope, { ...byStatus, lists: { ...byClass, hours: { by: ['status'], overTime: true } } }),
  );
  if (all !== null) return all;
  const totals = await select(reader, scope, { ...byStatus, lists: byClass });
  const hours = Math.ceil((scope.window.end - scope.window.start) / HOUR_MS);
  const listed = Math.min(Math.max(Math.floor(MOST_OF_HOURS / hours), 10), 100);
  const frequent = totals.statuses.slice(0, listed).map(({ status }) => status);
  const { hours: found } = await select(reader, scope, {
    ...byStatus,
    lists: { hours: { by: ['status'], overTime: true } },
    where: [oneOf('status', frequent, 'UInt16')],
  });
  return { ...totals, hours: found };
}

const sum = (rows: readonly { requests: number }[]) =>
  rows.reduce((total, { requests }) => total + requests, 0);

function toHour(
  window: Window,
  start: number,
  classes: readonly { status_class: number; requests: number }[],
  statuses: readonly { status: number; requests: number }[],
) {
  const hour = {
    time: toInstant(start),
    partial: isPartial(window, 'hour', start),
    requests: sum(classes),
    status_1xx: 0,
    status_2xx: 0,
    status_3xx: 0,
    status_4xx: 0,
    status_5xx: 0,
    status_other: 0,
    statuses: Object.fromEntries(statuses.map(({ status, requests }) => [status, requests])),
  };
  for (const { status_class, requests } of classes)
    hour[`status_${toStatusCategory(100 * status_class)}`] += requests;
  return hour;
}
