import { z } from '@hono/zod-openapi';
import { previousWindow } from '../../../../shared/queries/scope.js';
import { readStatusCounts, readStatusSeries } from '../../../../shared/queries/traffic.js';
import { windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { instant, toInstant } from '../instant.js';
import { statusCategory, toStatusCategory } from '../requests/request-rows.js';
import { segmentRead } from '../segment-read.js';
import {
  bytesSent,
  changePct,
  count,
  deltaPct,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
} from './figures.js';
import { everyBucket } from './time-buckets.js';

type Category = z.output<typeof statusCategory>;

const categories = statusCategory.options;

const compared = {
  requests: requestCount,
  share_pct: sharePct,
  previous_requests: previousRequests,
  delta_pct: deltaPct,
};

const byCategory = Object.fromEntries(
  categories.map((category) => [`status_${category}`, requestCount]),
) as Record<`status_${Category}`, typeof requestCount>;

export const getStatusCodes = segmentRead({
  id: 'getStatusCodes',
  tag: 'Traffic',
  path: '/status-codes',
  summary: 'HTTP statuses',
  description:
    'How requests were answered: by status, by class, and by hour. Status 0 means that the client left before an answer; it counts to the class `other`, as does anything outside 100-599. Every hour that the window touches has its entry.',
  query: z.object(windowParameters()),
  answer: z.object({
    window: answerWindow,
    total_requests: requestCount,
    status_codes: z
      .array(
        z.object({
          status: z.int(),
          status_category: statusCategory,
          ...compared,
          human_requests: requestCount,
          bot_requests: requestCount,
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
        requests: requestCount,
        ...byCategory,
        statuses: z.record(z.string(), z.int()).openapi({
          description: 'Requests by status; absent ones had none.',
          example: { 200: 912, 404: 31 },
        }),
      }),
    ),
    previous: z.object({ window: answerWindow, total_requests: count('Requests in that window.') }),
    deltas: z.object({ total_requests_pct: deltaPct }),
  }),
  async read(reader, scope) {
    const before = { ...scope, window: previousWindow(scope.window) };
    const [current, previous, series] = await Promise.all([
      readStatusCounts(reader, scope),
      readStatusCounts(reader, before),
      readStatusSeries(reader, scope),
    ]);
    const total = totalOf(current);
    const previousTotal = totalOf(previous);
    const compare = (requests: number, earlier: number) => ({
      requests,
      share_pct: percentOf(requests, total),
      previous_requests: earlier,
      delta_pct: changePct(requests, earlier),
    });
    return {
      window: toAnswerWindow(scope.window),
      total_requests: total,
      status_codes: current
        .toSorted((a, b) => b.requests - a.requests || a.status - b.status)
        .map(({ status, requests, human_requests, bytes_sent }) => ({
          status,
          status_category: toStatusCategory(status),
          ...compare(requests, totalOf(previous.filter((row) => row.status === status))),
          human_requests,
          bot_requests: requests - human_requests,
          bytes_sent,
        })),
      status_categories: categories.map((category) => ({
        status_category: category,
        ...compare(totalOf(current, category), totalOf(previous, category)),
      })),
      hourly: everyBucket(scope.window, 'hour', groupByHour(series), (time, hour) =>
        toHour(time, hour?.rows ?? []),
      ),
      previous: { window: toAnswerWindow(before.window), total_requests: previousTotal },
      deltas: { total_requests_pct: changePct(total, previousTotal) },
    };
  },
});

interface StatusRequests {
  readonly status: number;
  readonly requests: number;
}

function totalOf(rows: readonly StatusRequests[], category?: Category): number {
  return rows
    .filter(({ status }) => category === undefined || toStatusCategory(status) === category)
    .reduce((sum, { requests }) => sum + requests, 0);
}

function groupByHour<Row extends StatusRequests & { time: number }>(rows: readonly Row[]) {
  const hours = new Map<number, { time: number; rows: Row[] }>();
  for (const row of rows) {
    const hour = hours.get(row.time);
    if (hour === undefined) hours.set(row.time, { time: row.time, rows: [row] });
    else hour.rows.push(row);
  }
  return [...hours.values()];
}

function toHour(time: number, rows: readonly StatusRequests[]) {
  return {
    time: toInstant(time),
    requests: totalOf(rows),
    ...(Object.fromEntries(
      categories.map((category) => [`status_${category}`, totalOf(rows, category)]),
    ) as Record<`status_${Category}`, number>),
    statuses: Object.fromEntries(rows.map(({ status, requests }) => [status, requests])),
  };
}
