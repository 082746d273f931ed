import { z } from '@hono/zod-openapi';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import {
  averageTimeMs,
  avgTimeMs,
  bytesSent,
  changesOf,
  count,
  fieldsOf,
  requestCount,
  statusClassCounts,
  toStatusClassCounts,
  trafficClassCounts,
  uniqueIps,
} from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { previousOf } from '../answer/previous.js';
import { everyBucket, groupByTime, isPartial } from '../answer/time-buckets.js';
import { answerWindow, comparedWindow, compareWindows } from '../answer/windows.js';
import { moveLate, noneLate, readLateSpoofed } from '../bots/impostors.js';
import { volumeMetrics } from '../sql/metrics.js';
import { bots, countryEstimates, estimates, volumeTables } from '../sql/read-tables.js';
import type { Scope, Window } from '../sql/scope.js';
import { select, selectList } from '../sql/select.js';
import { type FoldedVolume, foldVolume, noVolume, sumVolumes } from './fold-volume.js';

const figures = {
  ...trafficClassCounts,
  ...statusClassCounts,
  bytes_sent: bytesSent,
  avg_time_ms: avgTimeMs,
  unique_ips: uniqueIps,
};
const volume = z.object({ total_requests: count('All requests.'), ...figures });

const point = z.object({
  time: instant.openapi({ description: 'Start of the hour or UTC day.' }),
  partial: z.boolean().openapi({
    description:
      'true: it extends beyond the window or has not ended; only requests inside the window are counted. In a rolling window: usually the first and the last one.',
  }),
  requests: requestCount,
  ...figures,
});

const changes = changesOf([
  'total_requests_pct',
  'human_requests_pct',
  'search_bot_requests_pct',
  'ai_bot_requests_pct',
  'other_bot_requests_pct',
  'spoofed_bot_requests_pct',
  'undeclared_agent_requests_pct',
  'bytes_sent_pct',
  'avg_time_ms_pct',
  'unique_ips_pct',
]);

export const traffic = answer({
  schema: z.object({
    ...comparedWindow,
    totals: volume,
    hourly: z.array(point),
    daily: z.array(point),
    previous: volume.extend({ window: answerWindow }),
    deltas: changes.schema,
  }),
  from: [volumeTables, [estimates, countryEstimates], [bots]],
  async read(reader, scope) {
    const [time, series, hourlyIps, dailyIps, late] = await Promise.all([
      compareWindows(reader, scope),
      readSeries(reader, scope),
      readHourlyIps(reader, scope),
      readDailyIps(reader, scope),
      readLateSpoofed(reader, scope),
    ]);
    const hours = series.hours.map(({ time: start, figures }) => ({
      time: start,
      figures: moveLate(figures, late.byHour.get(start) ?? noneLate),
    }));
    const days = foldDays(hours);
    const current = toVolume(sumVolumes(hours.map(({ figures }) => figures)), dailyIps.total.client_ips);
    const previous = toVolume(moveLate(series.previous, late.previous), dailyIps.total.previous_client_ips);
    return {
      ...time.windows,
      totals: current,
      hourly: toPoints(scope.window, 'hour', hours, hourlyIps),
      daily: toPoints(scope.window, 'day', days, dailyIps.days),
      previous: { window: time.previous, ...previous },
      deltas: changes.between(current, previous, time.change),
    };
  },
});

/** Counts by traffic class and status class, which have few values, and are folded here (fold-volume.ts). */
async function readSeries(reader: ClickHouseReader, scope: Scope) {
  const { classes, statuses } = await select(reader, scope, {
    name: 'traffic.hours',
    from: volumeTables,
    lists: {
      classes: { by: ['traffic_class'], overTime: true, withPast: true },
      statuses: { by: ['status_class'], overTime: true, withPast: true },
    },
    time: 'hour',
    metrics: volumeMetrics,
    previous: volumeMetrics,
  });
  const counted = <Row extends { requests: number }>(rows: readonly Row[]) =>
    rows.filter(({ requests }) => requests > 0);
  const earlier = <Row extends { previous_requests: number }>(rows: readonly Row[]) =>
    rows.filter(({ previous_requests }) => previous_requests > 0).map(previousOf);
  const classesOf = groupByTime(counted(classes));
  const statusesOf = groupByTime(counted(statuses));
  return {
    hours: [...classesOf].map(([time, rows]) => ({
      time,
      figures: foldVolume(rows, statusesOf.get(time) ?? []),
    })),
    previous: foldVolume(earlier(classes), earlier(statuses)),
  };
}

interface VolumeOfTime {
  readonly time: number;
  readonly figures: FoldedVolume;
}

type IpsByTime = readonly { time: number; client_ips: number }[];

function readHourlyIps(reader: ClickHouseReader, scope: Scope): Promise<IpsByTime> {
  return selectList(reader, scope, {
    name: 'traffic.ips_per_hour',
    from: [estimates, countryEstimates],
    by: [],
    overTime: true,
    time: 'hour',
    metrics: ['client_ips'],
  });
}

async function readDailyIps(reader: ClickHouseReader, scope: Scope) {
  const { days, total } = await select(reader, scope, {
    name: 'traffic.ips_per_day',
    from: [estimates, countryEstimates],
    lists: { days: { by: [], overTime: true }, total: { by: [] } },
    time: 'day',
    metrics: ['client_ips'],
    previous: ['client_ips'],
  });
  return { days: days as IpsByTime, total: total[0]! };
}

function foldDays(hours: readonly VolumeOfTime[]): VolumeOfTime[] {
  const dayOf = (time: number) => Math.floor(time / DAY_MS) * DAY_MS;
  const days = groupByTime(hours.map(({ time, figures }) => ({ time: dayOf(time), figures })));
  return [...days].map(([time, ofDay]) => ({ time, figures: sumVolumes(ofDay.map((hour) => hour.figures)) }));
}

function toVolume(row: FoldedVolume, unique_ips: number): z.input<typeof volume> {
  const { status_other } = toStatusClassCounts(row);
  const total_requests = row.requests;
  return fieldsOf(volume, { total_requests, status_other, avg_time_ms: averageTimeMs(row), unique_ips }, row);
}

function toPoints(
  window: Window,
  bucket: 'hour' | 'day',
  rows: readonly VolumeOfTime[],
  ips: IpsByTime,
): z.input<typeof point>[] {
  const ipsAt = new Map(ips.map(({ time, client_ips }) => [time, client_ips]));
  return everyBucket(window, bucket, rows, (start, row) => {
    const figures = row?.figures ?? noVolume;
    const values = {
      time: toInstant(start),
      partial: isPartial(window, bucket, start),
      status_other: toStatusClassCounts(figures).status_other,
      avg_time_ms: averageTimeMs(figures),
      unique_ips: ipsAt.get(start) ?? 0,
    };
    return fieldsOf(point, values, figures);
  });
}
