import { z } from '@hono/zod-openapi';
import { previousWindow } from '../../../../shared/queries/scope.js';
import {
  readTrafficSeries,
  readTrafficTotals,
  type TrafficBucket,
} from '../../../../shared/queries/traffic.js';
import { windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { instant, toInstant } from '../instant.js';
import { segmentRead } from '../segment-read.js';
import {
  averageTimeMs,
  avgTimeMs,
  bytesSent,
  changePct,
  deltaPct,
  requestCount,
  statusClassCounts,
  toStatusClassCounts,
  uniqueIps,
} from './figures.js';
import { everyBucket } from './time-buckets.js';

const volume = z.object({
  requests: requestCount,
  human_requests: requestCount,
  search_bot_requests: requestCount,
  ai_bot_requests: requestCount,
  other_bot_requests: requestCount,
  ...statusClassCounts,
  bytes_sent: bytesSent,
  avg_time_ms: avgTimeMs,
  unique_ips: uniqueIps,
});

const point = volume.extend({ time: instant.openapi({ description: 'Start of the hour or UTC day.' }) });

export const getTraffic = segmentRead({
  id: 'getTraffic',
  tag: 'Traffic',
  path: '/traffic',
  summary: 'Traffic over time',
  description:
    'Requests by class of traffic, errors, volume and speed, by hour and by UTC day. Every hour and day that the window touches has its entry, with zeros where nothing came; the first and last count only what lies inside the window. `unique_ips` do not add up over time: an address that comes in two hours is one address of the day.',
  query: z.object(windowParameters()),
  answer: z.object({
    window: answerWindow,
    totals: volume,
    hourly: z.array(point),
    daily: z.array(point),
    previous: volume.extend({ window: answerWindow }),
    deltas: z.object({
      requests_pct: deltaPct,
      human_requests_pct: deltaPct,
      search_bot_requests_pct: deltaPct,
      ai_bot_requests_pct: deltaPct,
      other_bot_requests_pct: deltaPct,
      bytes_sent_pct: deltaPct,
      avg_time_ms_pct: deltaPct,
      unique_ips_pct: deltaPct,
    }),
  }),
  async read(reader, scope) {
    const before = { ...scope, window: previousWindow(scope.window) };
    const [current, previous, hours, days] = await Promise.all([
      readTrafficTotals(reader, scope).then(toVolume),
      readTrafficTotals(reader, before).then(toVolume),
      readTrafficSeries(reader, scope, 'hour'),
      readTrafficSeries(reader, scope, 'day'),
    ]);
    const change = (name: keyof typeof current) => changePct(current[name], previous[name]);
    return {
      window: toAnswerWindow(scope.window),
      totals: current,
      hourly: everyBucket(scope.window, 'hour', hours, toPoint),
      daily: everyBucket(scope.window, 'day', days, toPoint),
      previous: { window: toAnswerWindow(before.window), ...previous },
      deltas: {
        requests_pct: change('requests'),
        human_requests_pct: change('human_requests'),
        search_bot_requests_pct: change('search_bot_requests'),
        ai_bot_requests_pct: change('ai_bot_requests'),
        other_bot_requests_pct: change('other_bot_requests'),
        bytes_sent_pct: change('bytes_sent'),
        avg_time_ms_pct: change('avg_time_ms'),
        unique_ips_pct: change('unique_ips'),
      },
    };
  },
});

/** The figures of a window or of a bucket of it. */
type Figures = Omit<TrafficBucket, 'time'>;

function toVolume(row: Figures): z.input<typeof volume> {
  return {
    requests: row.requests,
    human_requests: row.human_requests,
    search_bot_requests: row.search_bot_requests,
    ai_bot_requests: row.ai_bot_requests,
    other_bot_requests: row.other_bot_requests,
    ...toStatusClassCounts(row),
    bytes_sent: row.bytes_sent,
    avg_time_ms: averageTimeMs(row),
    unique_ips: row.unique_ips,
  };
}

const nothing = toVolume({
  requests: 0,
  human_requests: 0,
  search_bot_requests: 0,
  ai_bot_requests: 0,
  other_bot_requests: 0,
  status_2xx: 0,
  status_3xx: 0,
  status_4xx: 0,
  status_5xx: 0,
  bytes_sent: 0,
  timed_requests: 0,
  time_taken_ms: 0,
  unique_ips: 0,
});

function toPoint(time: number, row: Figures | undefined): z.input<typeof point> {
  return { time: toInstant(time), ...(row === undefined ? nothing : toVolume(row)) };
}
