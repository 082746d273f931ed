import type { StoredRequest } from '../harness/stored-requests.js';
import {
  average,
  changeIn,
  claimsBot,
  comparedWindow,
  datedWindow,
  distinct,
  distinctPaths,
  firstSeen,
  group,
  inClass,
  iso,
  isUndeclared,
  lastSeen,
  latest,
  nameOf,
  onPaths,
  pct,
  type Rows,
  ranked,
  rulesVersions,
  statusClasses,
  sum,
  type Truth,
  uniqueIps,
  verificationCounts,
  verificationOf,
  windowOf,
} from './counting.js';
import { numberOf, rangeOf, whereLatest } from './expected-visitors.js';

/** The combined status of all claims of a bot. */
export function summarised(counts: Record<string, number>): string {
  const found = ['verified', 'spoofed', 'pending', 'unverifiable'].filter(
    (status) => counts[`${status}_requests`]! > 0,
  );
  const [first = 'unverifiable'] = found;
  if (found.length <= 1 || first === 'pending') return first;
  return 'mixed';
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
    ...comparedWindow(truth),
    total_requests: truth.now.length,
    undeclared_agent_requests: truth.now.filter(isUndeclared).length,
    rules_versions: rulesVersions(now),
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
      cdn_verified_requests: rows.filter((row) => row.verification_method === 'cdn').length,
      unique_ips: uniqueIps(rows),
      unique_paths: distinctPaths(rows),
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
  const isCharged = (row: StoredRequest) => row.status === 402;
  const having = (rows: Rows, ...wanted: readonly string[]) =>
    rows.filter((row) => wanted.includes(verificationOf(row, truth.verdicts)));
  const split = (rows: Rows) => {
    const verified = having(rows, 'verified').length;
    return {
      requests: rows.length,
      verified,
      unverified: rows.length - verified,
      spoofed: having(rows, 'spoofed').length,
    };
  };
  const byStatus = (rejected: Rows) =>
    Object.fromEntries(
      [...group(rejected, (row) => String(row.status))].map(([status, some]) => [status, some.length]),
    );
  const realCrawler = (verified: Rows, others: Rows) => {
    if (verified.length === 0)
      return having(others, 'pending', 'unverifiable').length > 0 ? 'unproved' : 'absent';
    const turned = verified.filter((row) => isRejected(row) || isCharged(row)).length;
    const judged = turned + verified.filter(isServed).length;
    if (judged === 0) return 'unanswered';
    if (turned < 0.1 * judged) return 'let_in';
    if (turned < 0.9 * judged) return 'limited';
    if (others.some(isServed)) return 'inverted';
    return verified.some(isRejected) ? 'shut_out' : 'charged';
  };
  const who = (rejected: Rows) => {
    const verifications = new Set(rejected.map((row) => verificationOf(row, truth.verdicts)));
    if (verifications.size === 0) return null;
    if (verifications.has('verified')) return verifications.size > 1 ? 'both' : 'verified_only';
    return verifications.has('spoofed') && verifications.size === 1 ? 'impersonators_only' : 'unverifiable';
  };
  const list = ranked(group(now, (row) => row.bot_name)).map(([bot_name, rows]) => {
    const rejected = rows.filter(isRejected);
    const served = rows.filter(isServed);
    const access = ['none', 'served', 'rejected', 'mixed'];
    const verified = having(rows, 'verified');
    const unproved = having(rows, 'pending', 'unverifiable');
    const judged = verified.length > 0 ? verified : unproved.length > 0 ? unproved : rows;
    return {
      bot_name,
      bot_operator: latest(rows).bot_operator,
      bot_category: latest(rows).bot_category,
      requests: rows.length,
      verified_requests: verified.length,
      unproved_requests: unproved.length,
      spoofed_requests: having(rows, 'spoofed').length,
      served: split(served),
      rejected: split(rejected),
      payment_required: split(rows.filter(isCharged)),
      rejected_share_pct: pct(rejected.length, rows.length),
      rejected_by_status: byStatus(rejected),
      rejected_verified_by_status: byStatus(having(rejected, 'verified')),
      rejected_paths: ranked(group(onPaths(rejected), (row) => `${row.path}\0${row.status}`))
        .slice(0, 5)
        .map(([name, some]) => ({
          path: name.split('\0')[0],
          status: Number(name.split('\0')[1]),
          requests: some.length,
        })),
      access: access[(judged.some(isServed) ? 1 : 0) + (judged.some(isRejected) ? 2 : 0)],
      real_crawler: realCrawler(
        verified,
        rows.filter((row) => !verified.includes(row)),
      ),
      rejected_who: who(rejected),
    };
  });
  return {
    ...datedWindow(truth),
    bots: list.sort((a, b) => b.rejected.requests - a.rejected.requests),
  };
}

const MOST = 5;

export function unknownBots(truth: Truth, limit: number) {
  const now = truth.now.filter(
    (row) =>
      claimsBot(row) &&
      row.bot_operator === '' &&
      !['No user agent', 'Unknown client'].includes(row.bot_name),
  );
  const counted = (rows: Rows, key: (row: StoredRequest) => string) =>
    ranked(group(rows, key)).slice(0, MOST);
  return {
    ...datedWindow(truth),
    unknown_bots: distinct(now, (row) => row.bot_name),
    requests: now.length,
    bots: ranked(group(now, (row) => row.bot_name))
      .slice(0, limit)
      .map(([bot_name, rows]) => ({
        bot_name,
        bot_category: latest(rows).bot_category,
        requests: rows.length,
        cdn_verified_requests: rows.filter((row) => row.verification_method === 'cdn').length,
        sample_user_agents: [
          ...new Set(
            rows
              .filter((row) => [firstSeen(rows), lastSeen(rows)].includes(iso(row.timestamp)))
              .map((row) => row.user_agent),
          ),
        ].sort(),
        unique_ips: uniqueIps(rows),
        unique_paths: distinctPaths(rows),
        sample_ips: counted(rows, (row) => numberOf(row.client_ip)).map(([, some]) => ({
          client_ip: some[0]!.client_ip,
          requests: some.length,
        })),
        networks: counted(rows, (row) => numberOf(rangeOf(row.client_ip).split('/')[0]!)).map(([, some]) => ({
          ip_range: rangeOf(some[0]!.client_ip),
          asn: whereLatest(some).asn,
          as_name: whereLatest(some).as_name,
          requests: some.length,
        })),
        countries: counted(rows, (row) => row.country).map(([country, some]) => ({
          country,
          country_name: nameOf(country),
          requests: some.length,
        })),
        bytes_sent: sum(rows, (row) => row.bytes_sent),
        first_seen: firstSeen(rows),
        last_seen: lastSeen(rows),
      })),
  };
}
