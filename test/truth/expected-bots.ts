import type { StoredRequest } from '../harness/stored-requests.js';
import {
  average,
  changeIn,
  claimsBot,
  comparedWindows,
  distinct,
  firstSeen,
  group,
  inClass,
  lastSeen,
  latest,
  pct,
  type Rows,
  ranked,
  statusClasses,
  sum,
  type Truth,
  uniqueIps,
  verificationCounts,
  verificationOf,
  windowOf,
} from './counting.js';

/** How all claims of a bot stand together. */
export function summarised(counts: Record<string, number>): string {
  const decided = ['verified', 'spoofed'].filter((status) => counts[`${status}_requests`]! > 0);
  if (decided.length === 2) return 'mixed';
  return decided[0] ?? (counts.pending_requests! > 0 ? 'pending' : 'unverifiable');
}

export function bots(truth: Truth, splitVariants: boolean) {
  const now = truth.now.filter(claimsBot);
  const before = truth.before.filter(claimsBot);
  const variant = (row: StoredRequest) => (splitVariants ? row.bot_variant : '');
  const delta = changeIn(truth);
  const key = (row: StoredRequest) => `${row.bot_name}\n${variant(row)}`;
  const earlier = group(before, key);
  const totals = (rows: Rows, all: Rows) => ({
    bot_requests: rows.length,
    share_of_traffic_pct: pct(rows.length, all.length),
    ...verificationCounts(rows, truth),
  });
  return {
    ...comparedWindows(truth),
    total_requests: truth.now.length,
    totals: totals(now, truth.now),
    previous: { window: windowOf(truth.previousWindow), ...totals(before, truth.before) },
    deltas: { bot_requests_pct: delta(now.length, before.length) },
    by_category: ranked(group(now, (row) => row.bot_category)).map(([category, rows]) => ({
      bot_category: category,
      bots: distinct(rows, (row) => row.bot_name),
      requests: rows.length,
      share_pct: pct(rows.length, now.length),
      ...verificationCounts(rows, truth),
      unique_ips: uniqueIps(rows),
    })),
    bots: ranked(group(now, key)).map(([name, rows]) => ({
      bot_name: rows[0]!.bot_name,
      bot_variant: variant(rows[0]!),
      bot_family: latest(rows).bot_family,
      bot_operator: latest(rows).bot_operator,
      bot_category: latest(rows).bot_category,
      ai_intent: latest(rows).ai_intent,
      requests: rows.length,
      share_pct: pct(rows.length, now.length),
      verification_status: summarised(verificationCounts(rows, truth)),
      ...verificationCounts(rows, truth),
      unique_ips: uniqueIps(rows),
      unique_paths: distinct(rows, (row) => row.path),
      bytes_sent: sum(rows, (row) => row.bytes_sent),
      ...statusClasses(rows),
      avg_time_ms: average(rows),
      first_seen: firstSeen(rows),
      last_seen: lastSeen(rows),
      previous_requests: earlier.get(name)?.length ?? 0,
      delta_pct: delta(rows.length, earlier.get(name)?.length ?? 0),
    })),
  };
}

export function botsAccess(truth: Truth) {
  const now = truth.now.filter(claimsBot);
  const isRejected = (row: StoredRequest) => [401, 403, 429, 451].includes(row.status);
  const isServed = (row: StoredRequest) => inClass(2)(row) || inClass(3)(row);
  const split = (rows: Rows) => {
    const verified = rows.filter((row) => verificationOf(row, truth.verdicts) === 'verified').length;
    return { requests: rows.length, verified, unverified: rows.length - verified };
  };
  const who = (rejected: Rows) => {
    const standing = new Set(rejected.map((row) => verificationOf(row, truth.verdicts)));
    if (standing.size === 0) return null;
    if (standing.has('verified')) return standing.has('spoofed') ? 'both' : 'verified_only';
    return standing.has('spoofed') ? 'impersonators_only' : 'unverifiable';
  };
  const list = ranked(group(now, (row) => row.bot_name)).map(([bot_name, rows]) => {
    const rejected = rows.filter(isRejected);
    const served = rows.filter(isServed);
    const access = ['none', 'served', 'rejected', 'mixed'];
    return {
      bot_name,
      bot_operator: latest(rows).bot_operator,
      bot_category: latest(rows).bot_category,
      requests: rows.length,
      served: split(served),
      rejected: split(rejected),
      rejected_share_pct: pct(rejected.length, rows.length),
      rejected_by_status: Object.fromEntries(
        [...group(rejected, (row) => String(row.status))].map(([status, some]) => [status, some.length]),
      ),
      rejected_paths: ranked(group(rejected, (row) => `${row.path}\0${row.status}`))
        .slice(0, 5)
        .map(([name, some]) => ({
          path: name.split('\0')[0],
          status: Number(name.split('\0')[1]),
          requests: some.length,
        })),
      access: access[(served.length > 0 ? 1 : 0) + (rejected.length > 0 ? 2 : 0)],
      rejected_who: who(rejected),
    };
  });
  return {
    window: windowOf(truth.window),
    bots: list.sort((a, b) => b.rejected.requests - a.rejected.requests),
  };
}
