import { aiDetectionOf, loadReferrerList } from '../../shared/crawlers/referrers.js';
import { visitRule } from '../../shared/reads/ai/ai-visits.js';
import type { StoredRequest } from '../harness/stored-requests.js';
import {
  buckets,
  byPath,
  byText,
  changeIn,
  comparedWindow,
  DAY,
  distinct,
  distinctPaths,
  firstSeen,
  group,
  HOUR,
  inClass,
  isHuman,
  iso,
  lastSeen,
  latest,
  pct,
  pointsIn,
  type Rows,
  ranked,
  type Truth,
  verificationCounts,
  verificationOf,
  windowOf,
} from './counting.js';
import { summarised } from './expected-bots.js';
import {
  followOn,
  isAiError,
  isAiVisit,
  isHumanVisit,
  isPageRequest,
  isServed,
  topNext,
  visitsIn,
} from './follow-on.js';

const round = (value: number) => Math.round(value * 100) / 100;

function isGenuine({ verdicts }: Truth) {
  return (row: StoredRequest) => row.bot_category === 'ai' && verificationOf(row, verdicts) !== 'spoofed';
}

const granularityOf = ({ start, end }: Truth['window']) => (end - start <= 7 * DAY ? 'hour' : 'day');
const stepOf = (window: Truth['window']) => (granularityOf(window) === 'hour' ? HOUR : DAY);

function answersOf(rows: Rows) {
  const count = (is: (status: number) => boolean) => rows.filter(({ status }) => is(status)).length;
  const served = count((status) => status >= 200 && status < 400);
  const rejected = count((status) => [401, 403, 429, 451].includes(status));
  const charged = count((status) => status === 402);
  return {
    served_requests: served,
    rejected_requests: rejected,
    payment_required_requests: charged,
    other_requests: rows.length - served - rejected - charged,
  };
}

export function llms(truth: Truth, limit: number) {
  const { now, before, window, previousWindow } = truth;
  const genuine = isGenuine(truth);
  const delta = changeIn(truth);
  const ofIntents = (count: (intent: string) => number) =>
    Object.fromEntries(
      ['training', 'search', 'fetcher', 'unknown'].map((intent) => [
        intent,
        count(intent === 'unknown' ? '' : intent),
      ]),
    );
  const figures = (all: Rows) => {
    const rows = all.filter(genuine);
    const served = rows.filter((row) => isPageRequest(row) && isServed(row));
    const ofIntent = (some: Rows, intent: string) => some.filter((row) => row.ai_intent === intent);
    return {
      total_requests: all.length,
      total_ai_requests: rows.length,
      ai_percentage: pct(rows.length, all.length),
      unique_crawlers: distinct(rows, (row) => row.bot_name),
      unique_pages_crawled: distinctPaths(served),
      intent_totals: ofIntents((intent) => ofIntent(rows, intent).length),
      pages_by_intent: ofIntents((intent) => distinctPaths(ofIntent(served, intent))),
    };
  };
  const current = figures(now);
  const previous = figures(before);
  const rows = now.filter(genuine);
  const crawlers = ranked(group(rows, (row) => row.bot_name));
  const claims = now.filter((row) => row.bot_category === 'ai');
  const onlySpoofed = [...group(claims, (row) => row.bot_name).keys()]
    .filter((name) => !crawlers.some(([each]) => each === name))
    .sort();
  const listed: [string, Rows][] = [...crawlers, ...onlySpoofed.map((name): [string, Rows] => [name, []])];
  const earlier = group(before.filter(genuine), (row) => row.bot_name);
  return {
    ...comparedWindow(truth),
    ...current,
    period_hours: windowOf(window).hours,
    granularity: granularityOf(window),
    crawlers: listed.map(([name, own]) => {
      const ofName = claims.filter((row) => row.bot_name === name);
      const counts = verificationCounts(ofName, truth) as Record<string, number>;
      return {
        bot_name: name,
        bot_operator: latest(ofName).bot_operator,
        intent: latest(ofName).ai_intent,
        requests: own.length,
        share_pct: pct(own.length, rows.length),
        unique_pages: distinctPaths(own.filter((row) => isPageRequest(row) && isServed(row))),
        verified_count: counts.verified_requests,
        unverified_count: counts.unverifiable_requests! + counts.pending_requests! + counts.spoofed_requests!,
        spoofed_count: counts.spoofed_requests,
        verification_status: summarised(counts),
        ...answersOf(own),
        previous_requests: earlier.get(name)?.length ?? 0,
        delta_pct: delta(own.length, earlier.get(name)?.length ?? 0),
      };
    }),
    bot_hourly: buckets(rows, window, stepOf(window)).map(([time, own]) => ({
      time_bucket: iso(time),
      other: 0,
      ...Object.fromEntries(
        crawlers.map(([name]) => [name, own.filter((row) => row.bot_name === name).length]),
      ),
    })),
    bot_names: crawlers.map(([name]) => name),
    total_pages_requested: distinctPaths(rows.filter(isPageRequest)),
    pages: byPath(rows.filter(isPageRequest))
      .slice(0, limit)
      .map(([path, own]) => ({
        path,
        requests: own.length,
        unique_bots: distinct(own, (row) => row.bot_name),
        status_2xx: own.filter(inClass(2)).length,
        status_3xx: own.filter(inClass(3)).length,
        status_4xx: own.filter(inClass(4)).length,
        status_5xx: own.filter(inClass(5)).length,
        rejected_requests: answersOf(own).rejected_requests,
        payment_required_requests: answersOf(own).payment_required_requests,
      })),
    previous: { window: windowOf(previousWindow), ...previous },
    deltas: {
      total_ai_requests_pct: delta(current.total_ai_requests, previous.total_ai_requests),
      ai_percentage_pp: pointsIn(truth)(current.ai_percentage, previous.ai_percentage, truth.before.length),
      search_pct: delta(current.intent_totals.search!, previous.intent_totals.search!),
    },
  };
}

export function aiFunnel(truth: Truth) {
  const { now, before, verdicts, previousWindow } = truth;
  const genuine = isGenuine(truth);
  const delta = changeIn(truth);
  const figures = (all: Rows) => {
    const claims = all.filter(genuine);
    const isCited = (row: StoredRequest) =>
      row.ai_intent === 'fetcher' &&
      verificationOf(row, verdicts) === 'verified' &&
      [200, 304].includes(row.status);
    const fetches = claims.filter((row) => ['search', 'fetcher'].includes(row.ai_intent)).length;
    const referrals = visitsIn(all.filter(isAiVisit)).length;
    const training = claims.filter((row) => row.ai_intent === 'training').length;
    return {
      fetches,
      citations: claims.filter(isCited).length,
      training_requests: training,
      referrals,
      error_landings: visitsIn(all.filter(isAiError)).length,
      fetches_per_visit: referrals === 0 ? null : round(fetches / referrals),
      reads_per_visit: referrals === 0 ? null : round((fetches + training) / referrals),
    };
  };
  const isLanding = (row: StoredRequest) => isAiVisit(row) || isAiError(row);
  const of = (rows: Rows, operator: string) =>
    rows.filter(
      (row) => (genuine(row) ? row.bot_operator : isLanding(row) ? row.ai_operator : null) === operator,
    );
  const names = new Set([
    ...now.filter(genuine).map((row) => row.bot_operator),
    ...now.filter(isLanding).map((row) => row.ai_operator),
  ]);
  // Bots of unknown operator and purpose.
  names.delete('');
  const current = figures(now);
  const previous = figures(before);
  return {
    ...comparedWindow(truth),
    operators: [...names]
      .map((operator) => {
        const own = of(now, operator);
        return {
          operator,
          bots: ranked(group(own.filter(genuine), (row) => row.bot_name)).map(([name]) => name),
          ...figures(own),
          top_landing_pages: byPath(visitsIn(own.filter(isAiVisit)))
            .slice(0, 5)
            .map(([path, rows]) => ({ path, visits: rows.length })),
          previous: figures(of(before, operator)),
        };
      })
      .sort(
        (a, b) =>
          b.fetches - a.fetches ||
          b.referrals - a.referrals ||
          b.training_requests - a.training_requests ||
          (a.operator < b.operator ? -1 : 1),
      ),
    totals: {
      operators: names.size,
      ...current,
      previous: { window: windowOf(previousWindow), ...previous },
      deltas: {
        fetches_pct: delta(current.fetches, previous.fetches),
        citations_pct: delta(current.citations, previous.citations),
        training_requests_pct: delta(current.training_requests, previous.training_requests),
        referrals_pct: delta(current.referrals, previous.referrals),
      },
    },
    discovery: {
      sc_connected: false,
      reason: 'sc_not_connected',
      crawl_basis: null,
      min_impressions: 50,
      checked: null,
      never_fetched: null,
      pages: null,
    },
  };
}

export function aiLanding(truth: Truth, limit: number, operator?: string) {
  const { now, before, window, previousWindow, website } = truth;
  const isAsked = (row: StoredRequest) => operator === undefined || row.ai_operator === operator;
  const landings = now.filter((row) => isAiVisit(row) && isAsked(row));
  const errors = now.filter((row) => isAiError(row) && isAsked(row));
  const visits = visitsIn(landings);
  const earlier = before.filter((row) => isAiVisit(row) && isAsked(row));
  const earlierVisits = visitsIn(earlier).length;
  const humans = now.filter(isHuman);
  const humanVisits = visitsIn(humans.filter(isHumanVisit));
  const delta = changeIn(truth);
  // A visit that two operators sent counts for both.
  const byOperator = (rows: Rows): [operator: string, visits: StoredRequest[]][] =>
    ranked(
      new Map(
        [...group(rows, (row) => row.ai_operator)].map(([name, own]) => [name, visitsIn(own)] as const),
      ),
    );
  const operators = byOperator(landings);
  const next = followOn(visits, website);
  const { referrerHosts, utmSources } = aiDetectionOf(loadReferrerList());
  const landingsOf = group(landings, (row) => row.path);
  return {
    ...comparedWindow(truth),
    totals: {
      ai_referred_visits: visits.length,
      error_landings: visitsIn(errors).length,
      unique_paths: distinctPaths(visits),
      operators: operators.length,
      humans_total: humans.length,
      human_visits: humanVisits.length,
      share_of_human_traffic_pct: pct(visits.length, humanVisits.length),
      previous: {
        window: windowOf(previousWindow),
        ai_referred_visits: earlierVisits,
        error_landings: visitsIn(before.filter((row) => isAiError(row) && isAsked(row))).length,
        delta_pct: delta(visits.length, earlierVisits),
      },
    },
    by_operator: operators.map(([name, rows]) => {
      const past = visitsIn(earlier.filter((row) => row.ai_operator === name)).length;
      return {
        operator: name,
        visits: rows.length,
        error_landings: visitsIn(errors.filter((row) => row.ai_operator === name)).length,
        unique_paths: distinctPaths(rows),
        top_path: byPath(rows)[0]?.[0] ?? '',
        previous_visits: past,
        delta_pct: delta(rows.length, past),
      };
    }),
    error_pages: errorPages(errors).slice(0, limit),
    pages: byPath(visits)
      .slice(0, limit)
      .map(([path, rows]) => {
        const own = landingsOf.get(path)!;
        const all = humanVisits.filter((row) => row.path === path).length;
        const followed = next.get(path)!;
        return {
          path,
          visits: rows.length,
          operators: Object.fromEntries(byOperator(own).map(([name, some]) => [name, some.length])),
          humans_total: humans.filter((row) => row.path === path).length,
          human_visits: all,
          ai_share_pct: pct(rows.length, all),
          bounce_proxy_pct: pct(followed.bounced, followed.judged),
          bounced: followed.bounced,
          next_paths: topNext(followed).map(({ path: opened, visitors }) => ({
            path: opened,
            visits: visitors,
          })),
          first_seen: firstSeen(own),
          last_seen: lastSeen(own),
        };
      }),
    series: buckets(landings, window, stepOf(window)).map(([time, own]) => {
      const counts = new Map(byOperator(own));
      return {
        hour: iso(time),
        ...Object.fromEntries(operators.map(([name]) => [name, counts.get(name)?.length ?? 0])),
      };
    }),
    granularity: granularityOf(window),
    detection: {
      referrer_hosts: referrerHosts,
      utm_sources: utmSources,
      rule: visitRule,
      visit_minutes: 30,
      follow_on_minutes: 30,
    },
  };
}

function errorPages(errors: Rows) {
  return [...group(errors, (row) => row.path)]
    .map(([path, rows]) => ({
      path,
      landings: visitsIn(rows).length,
      // The greatest of several at one instant.
      last_status: rows.toSorted((a, b) => b.timestamp - a.timestamp || b.status - a.status)[0]!.status,
      first_seen: firstSeen(rows),
      last_seen: lastSeen(rows),
    }))
    .sort((a, b) => b.landings - a.landings || byText(a.path, b.path));
}
