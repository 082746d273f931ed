import {
  average,
  buckets,
  claimsBot,
  DAY,
  delta,
  distinct,
  group,
  HOUR,
  inClass,
  isHuman,
  iso,
  lastSeen,
  nameOf,
  pct,
  quantile,
  type Rows,
  ranked,
  round,
  statusClasses,
  sum,
  type Truth,
  uniqueIps,
  verificationCounts,
  windowOf,
} from './counting.js';

function summaryMetrics(rows: Rows, truth: Truth) {
  const ofClass = (name: string) => rows.filter((row) => row.traffic_class === name).length;
  return {
    total_requests: rows.length,
    human_requests: ofClass('human'),
    bot_requests: rows.filter(claimsBot).length,
    search_bot_requests: ofClass('search_bot'),
    ai_bot_requests: ofClass('ai_bot'),
    other_bot_requests: ofClass('other_bot'),
    ...verificationCounts(rows, truth, '_bot'),
    unique_ips: uniqueIps(rows),
    unique_human_ips: uniqueIps(rows.filter(isHuman)),
    unique_paths: distinct(rows, (row) => row.path),
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
  const current = summaryMetrics(now, truth);
  const previous = summaryMetrics(before, truth);
  return {
    window: windowOf(truth.window),
    ...current,
    top_bots: ranked(group(now.filter(claimsBot), (row) => row.bot_name))
      .slice(0, 5)
      .map(([bot_name, rows]) => ({ bot_name, requests: rows.length })),
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
    previous: { window: windowOf(truth.previousWindow), ...previous },
    deltas: {
      total_requests_pct: delta(current.total_requests, previous.total_requests),
      human_requests_pct: delta(current.human_requests, previous.human_requests),
      avg_time_ms_pct: delta(current.avg_time_ms, previous.avg_time_ms),
      error_rate_5xx_pp: round(current.error_rate_5xx_pct - previous.error_rate_5xx_pct),
    },
  };
}

function volume(rows: Rows) {
  const ofClass = (name: string) => rows.filter((row) => row.traffic_class === name).length;
  return {
    requests: rows.length,
    human_requests: ofClass('human'),
    search_bot_requests: ofClass('search_bot'),
    ai_bot_requests: ofClass('ai_bot'),
    other_bot_requests: ofClass('other_bot'),
    ...statusClasses(rows),
    bytes_sent: sum(rows, (row) => row.bytes_sent),
    avg_time_ms: average(rows),
    unique_ips: uniqueIps(rows),
  };
}

export function traffic({ now, before, window, previousWindow }: Truth) {
  const points = (step: number) =>
    buckets(now, window, step).map(([time, rows]) => ({ time: iso(time), ...volume(rows) }));
  return {
    window: windowOf(window),
    totals: volume(now),
    hourly: points(HOUR),
    daily: points(DAY),
    previous: { window: windowOf(previousWindow), ...volume(before) },
    deltas: { requests_pct: delta(now.length, before.length) },
  };
}

function categoryOf(status: number): string {
  return status >= 100 && status < 600 ? `${Math.trunc(status / 100)}xx` : 'other';
}

export function statusCodes({ now, before, window, previousWindow }: Truth) {
  const compare = (rows: Rows, earlier: Rows) => ({
    requests: rows.length,
    share_pct: pct(rows.length, now.length),
    previous_requests: earlier.length,
    delta_pct: delta(rows.length, earlier.length),
  });
  const categories = ['1xx', '2xx', '3xx', '4xx', '5xx', 'other'];
  return {
    window: windowOf(window),
    total_requests: now.length,
    status_codes: ranked(group(now, (row) => String(row.status).padStart(3))).map(([text, rows]) => ({
      status: Number(text),
      status_category: categoryOf(Number(text)),
      ...compare(
        rows,
        before.filter((row) => row.status === Number(text)),
      ),
      human_requests: rows.filter(isHuman).length,
      bot_requests: rows.filter(claimsBot).length,
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

export function paths({ now, before, window }: Truth, limit: number) {
  const earlier = group(before, (row) => row.path);
  const ofClass = (rows: Rows, name: string) => rows.filter((row) => row.traffic_class === name).length;
  return {
    window: windowOf(window),
    total_requests: now.length,
    total_paths: distinct(now, (row) => row.path),
    paths: ranked(group(now, (row) => row.path))
      .slice(0, limit)
      .map(([path, rows]) => ({
        path,
        requests: rows.length,
        share_pct: pct(rows.length, now.length),
        human_requests: ofClass(rows, 'human'),
        search_bot_requests: ofClass(rows, 'search_bot'),
        ai_bot_requests: ofClass(rows, 'ai_bot'),
        other_bot_requests: ofClass(rows, 'other_bot'),
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
