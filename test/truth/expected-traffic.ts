import type { StoredRequest } from '../harness/stored-requests.js';
import {
  average,
  buckets,
  byPath,
  changeIn,
  claimsBot,
  comparedWindow,
  DAY,
  distinctPaths,
  group,
  HOUR,
  inClass,
  isHuman,
  isNoPerson,
  iso,
  isPartial,
  lastSeen,
  nameOf,
  pct,
  pointsIn,
  quantile,
  type Rows,
  ranked,
  rulesVersions,
  statusClasses,
  sum,
  type Truth,
  trafficClasses,
  uniqueIps,
  verificationCounts,
  verificationOf,
  windowOf,
} from './counting.js';

function summaryMetrics(rows: Rows, truth: Truth) {
  return {
    total_requests: rows.length,
    ...trafficClasses(rows, truth),
    bot_requests: rows.filter(isNoPerson).length,
    ...verificationCounts(rows, truth, '_bot'),
    unique_ips: uniqueIps(rows),
    unique_human_ips: uniqueIps(rows.filter(isHuman)),
    unique_paths: distinctPaths(rows),
    bytes_sent: sum(rows, (row) => row.bytes_sent),
    ...statusClasses(rows),
    error_rate_4xx_pct: pct(rows.filter(inClass(4)).length, rows.length),
    error_rate_5xx_pct: pct(rows.filter(inClass(5)).length, rows.length),
    avg_time_ms: average(rows),
    p50_time_ms: quantile(rows, 0.5),
    p95_time_ms: quantile(rows, 0.95),
    p99_time_ms: quantile(rows, 0.99),
  };
}

export function summary(truth: Truth) {
  const { now, before } = truth;
  const delta = changeIn(truth);
  const current = summaryMetrics(now, truth);
  const previous = summaryMetrics(before, truth);
  return {
    ...comparedWindow(truth),
    ...current,
    top_bots: ranked(
      group(
        now.filter((row) => claimsBot(row) && verificationOf(row, truth.verdicts) !== 'spoofed'),
        (row) => row.bot_name,
      ),
    )
      .slice(0, 5)
      .map(([bot_name, rows]) => ({
        bot_name,
        requests: rows.length,
        share_pct: pct(rows.length, now.length),
      })),
    top_countries: ranked(group(now, (row) => row.country))
      .slice(0, 5)
      .map(([country, rows]) => ({
        country,
        country_name: nameOf(country),
        requests: rows.length,
        share_pct: pct(rows.length, now.length),
      })),
    top_status_codes: ranked(group(now, (row) => String(row.status).padStart(3)))
      .slice(0, 5)
      .map(([status, rows]) => ({
        status: Number(status),
        requests: rows.length,
        share_pct: pct(rows.length, now.length),
      })),
    rules_versions: rulesVersions(now.filter(claimsBot)),
    previous: { window: windowOf(truth.previousWindow), ...previous },
    deltas: {
      total_requests_pct: delta(current.total_requests, previous.total_requests),
      human_requests_pct: delta(now.filter(isHuman).length, before.filter(isHuman).length),
      avg_time_ms_pct: delta(current.avg_time_ms, previous.avg_time_ms),
      error_rate_5xx_pp: pointsIn(truth)(
        current.error_rate_5xx_pct,
        previous.error_rate_5xx_pct,
        before.length,
      ),
    },
  };
}

function figures(rows: Rows, truth: Truth) {
  return {
    ...trafficClasses(rows, truth),
    ...statusClasses(rows),
    bytes_sent: sum(rows, (row) => row.bytes_sent),
    avg_time_ms: average(rows),
    unique_ips: uniqueIps(rows),
  };
}

export function traffic(truth: Truth) {
  const { now, before, window, previousWindow } = truth;
  const points = (step: number) =>
    buckets(now, window, step).map(([time, rows]) => ({
      time: iso(time),
      partial: isPartial(window, time, step),
      requests: rows.length,
      ...figures(rows, truth),
    }));
  const volume = (rows: Rows) => ({ total_requests: rows.length, ...figures(rows, truth) });
  return {
    ...comparedWindow(truth),
    totals: volume(now),
    hourly: points(HOUR),
    daily: points(DAY),
    previous: { window: windowOf(previousWindow), ...volume(before) },
    deltas: { total_requests_pct: changeIn(truth)(now.length, before.length) },
  };
}

function categoryOf(status: number): string {
  return status >= 100 && status < 600 ? `${Math.trunc(status / 100)}xx` : 'other';
}

export function statusCodes(truth: Truth) {
  const { now, before, window, previousWindow } = truth;
  const delta = changeIn(truth);
  const compare = (rows: Rows, earlier: Rows) => ({
    requests: rows.length,
    share_pct: pct(rows.length, now.length),
    previous_requests: earlier.length,
    delta_pct: delta(rows.length, earlier.length),
  });
  const categories = ['1xx', '2xx', '3xx', '4xx', '5xx', 'other'];
  return {
    ...comparedWindow(truth),
    total_requests: now.length,
    status_codes: ranked(group(now, (row) => String(row.status).padStart(3))).map(([text, rows]) => ({
      status: Number(text),
      status_category: categoryOf(Number(text)),
      ...compare(
        rows,
        before.filter((row) => row.status === Number(text)),
      ),
      human_requests: rows.filter(isHuman).length,
      bot_requests: rows.filter(isNoPerson).length,
      bytes_sent: sum(rows, (row) => row.bytes_sent),
    })),
    status_categories: categories.map((category) => ({
      status_category: category,
      ...compare(
        now.filter((row) => categoryOf(row.status) === category),
        before.filter((row) => categoryOf(row.status) === category),
      ),
    })),
    hourly: buckets(now, window, HOUR).map(([time, rows]) => ({
      time: iso(time),
      partial: isPartial(window, time, HOUR),
      requests: rows.length,
      ...Object.fromEntries(
        categories.map((category) => [
          `status_${category}`,
          rows.filter((row) => categoryOf(row.status) === category).length,
        ]),
      ),
      statuses: Object.fromEntries(
        [...group(rows, (row) => String(row.status))].map(([status, list]) => [status, list.length]),
      ),
    })),
    previous: { window: windowOf(previousWindow), total_requests: before.length },
    deltas: { total_requests_pct: delta(now.length, before.length) },
  };
}

export function paths(truth: Truth, limit: number) {
  const { now, before } = truth;
  const delta = changeIn(truth);
  const earlier = group(before, (row) => row.path);
  return {
    ...comparedWindow(truth),
    total_requests: now.length,
    unique_paths: distinctPaths(now),
    paths: byPath(now)
      .slice(0, limit)
      .map(([path, rows]) => ({
        path,
        requests: rows.length,
        share_pct: pct(rows.length, now.length),
        ...trafficClasses(rows, truth),
        ...statusClasses(rows),
        bytes_sent: sum(rows, (row) => row.bytes_sent),
        avg_time_ms: average(rows),
        max_time_ms: rows.reduce<number | null>(
          (most, row) => (row.time_taken_ms === null ? most : Math.max(most ?? 0, row.time_taken_ms)),
          null,
        ),
        last_seen: lastSeen(rows),
        previous_requests: earlier.get(path)?.length ?? 0,
        delta_pct: delta(rows.length, earlier.get(path)?.length ?? 0),
      })),
  };
}

/** Domains of the truth tests' websites, and their subdomains. */
const ownHost = /(?:^|\.)(?:example\.com|shop\.example)$/;

/** @param limit of the list */
export function hosts(truth: Truth, limit: number) {
  const { now, before } = truth;
  const delta = changeIn(truth);
  const isProved = (row: StoredRequest) => verificationOf(row, truth.verdicts) === 'verified';
  const earlier = group(before, (row) => row.host);
  const all = ranked(group(now, (row) => row.host));
  const listed = all.slice(0, limit);
  return {
    ...comparedWindow(truth),
    total_requests: now.length,
    unique_hosts: all.length,
    unlisted_requests: now.length - listed.reduce((total, [, rows]) => total + rows.length, 0),
    hosts: listed.map(([host, rows]) => ({
      host,
      is_own: ownHost.test(host),
      requests: rows.length,
      share_pct: pct(rows.length, now.length),
      ...trafficClasses(rows, truth),
      verified_search_bot_requests: rows.filter((row) => row.traffic_class === 'search_bot' && isProved(row))
        .length,
      verified_ai_bot_requests: rows.filter((row) => row.traffic_class === 'ai_bot' && isProved(row)).length,
      ...statusClasses(rows),
      bytes_sent: sum(rows, (row) => row.bytes_sent),
      avg_time_ms: average(rows),
      last_seen: lastSeen(rows),
      previous_requests: earlier.get(host)?.length ?? 0,
      delta_pct: delta(rows.length, earlier.get(host)?.length ?? 0),
    })),
  };
}
