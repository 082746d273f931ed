import { statusClasses } from '../answer/figures.js';
import { compareWindows } from '../answer/windows.js';
import { claimMetrics, verificationMetrics } from '../bots/bots.js';
import { pendingOnly } from '../bots/impostors.js';
import type { Clause } from '../sql/clause.js';
import {
  botEstimates,
  bots as botsRollup,
  countryEstimates,
  crawlerPaths,
  devices as devicesRollup,
  estimates,
  locations,
  paths as pathsRollup,
  referrers as referrersRollup,
} from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectTotal } from '../sql/select.js';
import type { Selection } from '../sql/selection.js';
import { pathMetrics } from '../urls/paths.js';
import { type ComposeDeps, type ExportType, instant, text, value, windowFilters } from './export-type.js';
import {
  averageTimeMs,
  changePct,
  countryNameOf,
  countryParams,
  percentOf,
  prefixParameters,
} from './figures-sql.js';
import { listRows } from './list-rows.js';
import { namedBot } from './named-bot.js';

/** Lists of traffic: a row for each path, referrer, place, client or bot. */

const TOTAL = '{export_total: UInt64}';
const share = value('share_pct', percentOf('t.requests', TOTAL));
const delta = value('delta_pct', changePct('t.requests', 't.previous_requests'));
const statusOther = value(
  'status_other',
  't.requests - t.status_1xx - t.status_2xx - t.status_3xx - t.status_4xx - t.status_5xx',
);
const statusColumns = [...statusClasses.map((name) => value(name)), statusOther];

type List = Parameters<typeof listRows>[1];

/** Parameters of the columns of shares and changes. @param from tables that count all requests. */
async function comparison({ clickhouse }: ComposeDeps, scope: Scope, from: Selection['from']) {
  const [{ change }, { requests }] = await Promise.all([
    compareWindows(clickhouse, scope),
    selectTotal(clickhouse, scope, { name: 'exports.total', from, metrics: ['requests'] }),
  ]);
  // Whether 2 and 1 can be compared decides it for all figures.
  return { export_total: requests, export_compared: change.pct(2, 1) === null ? 0 : 1 };
}

/** A list with the previous window, and the parameters of its columns. */
async function comparedList(
  deps: ComposeDeps,
  scope: Scope,
  list: List,
  all: Selection['from'] = list.from,
): Promise<Clause> {
  const { sql, params } = listRows(scope, { ...list, previous: ['requests'] });
  return { sql, params: { ...params, ...(await comparison(deps, scope, all)) } };
}

const late = (requests: string, moved: string) => `toInt64(t.${requests}) - toInt64(t.${moved})`;

export const pathsExport: ExportType = {
  name: 'paths',
  title: 'Paths',
  read: '/paths',
  knows: windowFilters,
  columns: [
    text('path'),
    value('requests'),
    share,
    value('human_requests'),
    value('search_bot_requests', late('search_bot_requests', 'late_search')),
    value('ai_bot_requests', late('ai_bot_requests', 'late_ai')),
    value(
      'other_bot_requests',
      'toInt64(t.requests) - toInt64(t.human_requests + t.search_bot_requests + t.ai_bot_requests + t.spoofed_bot_requests + t.undeclared_agent_requests) - toInt64(t.late_other)',
    ),
    value('spoofed_bot_requests', 't.spoofed_bot_requests + t.late_search + t.late_ai + t.late_other'),
    value('undeclared_agent_requests'),
    ...statusColumns,
    value('bytes_sent'),
    value('avg_time_ms', averageTimeMs),
    value('max_time_ms', 'if(t.timed_requests = 0, NULL, t.time_taken_ms_max)'),
    instant('last_seen'),
    value('previous_requests'),
    delta,
  ],
  async compose(deps, unfiltered, question) {
    const scope = namedBot(unfiltered, question);
    const list = await comparedList(
      deps,
      scope,
      { name: 'exports.paths', from: [pathsRollup], by: ['path'], metrics: pathMetrics },
      [estimates, countryEstimates],
    );
    const moved = prefixParameters(
      listRows(scope, {
        name: 'exports.late',
        from: [crawlerPaths],
        by: ['path', 'bot_category'],
        metrics: ['late_spoofed_requests'],
        where: [pendingOnly],
      }),
      'late',
    );
    return {
      from: `(SELECT l.*, m.late_search AS late_search, m.late_ai AS late_ai, m.late_other AS late_other
FROM (${list.sql}) AS l
LEFT JOIN (SELECT path, sumIf(late_spoofed_requests, bot_category = 'search') AS late_search,
  sumIf(late_spoofed_requests, bot_category = 'ai') AS late_ai,
  sumIf(late_spoofed_requests, bot_category NOT IN ('search', 'ai')) AS late_other
  FROM (${moved.sql}) GROUP BY path) AS m ON l.path = m.path) AS t`,
      order: 't.requests DESC, t.path',
      params: { ...list.params, ...moved.params },
    };
  },
};

export const referrersExport: ExportType = {
  name: 'referrers',
  title: 'Referrers',
  read: '/referrers',
  knows: windowFilters,
  columns: [
    text('referrer_domain'),
    text('referrer_class'),
    text('ai_operator'),
    value('requests'),
    share,
    value('human_requests'),
    value('unique_ips', 't.client_ips'),
    value('status_4xx'),
    value('status_5xx'),
    value('previous_requests'),
    delta,
  ],
  async compose(deps, unfiltered, question) {
    const { sql, params } = await comparedList(deps, namedBot(unfiltered, question), {
      name: 'exports.referrers',
      from: [referrersRollup],
      by: ['referrer_domain', 'referrer_class', 'ai_operator'],
      metrics: ['requests', 'human_requests', 'status_4xx', 'status_5xx', 'client_ips'],
    });
    return {
      from: `(SELECT * FROM (${sql}) WHERE referrer_class != 'direct') AS t`,
      order: 't.requests DESC, t.referrer_domain, t.referrer_class, t.ai_operator',
      params,
    };
  },
};

export const geographyExport: ExportType = {
  name: 'geography',
  title: 'Countries and cities',
  read: '/geography',
  knows: windowFilters,
  columns: [
    text('country'),
    text('country_name', countryNameOf('t.country')),
    text('region'),
    text('city'),
    value('requests'),
    share,
    value('human_requests'),
    value('bot_requests', 't.requests - t.human_requests'),
    value('unique_ips', 't.client_ips'),
    value('status_4xx'),
    value('status_5xx'),
    value('bytes_sent'),
    value('previous_requests'),
    delta,
  ],
  async compose(deps, unfiltered, question) {
    const { sql, params } = await comparedList(deps, namedBot(unfiltered, question), {
      name: 'exports.geography',
      from: [locations],
      by: ['country', 'region', 'city'],
      metrics: ['requests', 'human_requests', 'status_4xx', 'status_5xx', 'bytes_sent', 'client_ips'],
    });
    return {
      from: `(${sql}) AS t`,
      order: 't.requests DESC, t.country, t.region, t.city',
      params: { ...params, ...countryParams() },
    };
  },
};

const kinds = [
  ['browser', 'browser'],
  ['operating_system', 'os'],
  ['device_type', 'device_type'],
] as const;

export const devicesExport: ExportType = {
  name: 'devices',
  title: 'Browsers, operating systems and device types',
  read: '/devices',
  knows: windowFilters,
  columns: [
    text('kind'),
    text('name'),
    value('requests'),
    share,
    value('unique_ips', 't.client_ips'),
    value('previous_requests'),
    delta,
  ],
  async compose(deps, unfiltered, question) {
    const scope = namedBot(unfiltered, question);
    const parts = kinds.map(([kind, by], place) => {
      const { sql, params } = prefixParameters(
        listRows(scope, {
          name: 'exports.devices',
          from: [devicesRollup],
          by: [by],
          metrics: ['requests', 'client_ips'],
          previous: ['requests'],
        }),
        by,
      );
      const columns = `toString(${by}) AS name, requests, client_ips, previous_requests`;
      return { sql: `SELECT ${place} AS place, '${kind}' AS kind, ${columns} FROM (${sql})`, params };
    });
    const compared = await comparison(deps, scope, [devicesRollup]);
    return {
      from: `(${parts.map(({ sql }) => sql).join('\nUNION ALL\n')}) AS t`,
      order: 't.place, t.requests DESC, t.name',
      params: Object.assign({}, compared, ...parts.map(({ params }) => params)),
    };
  },
};

/** The rule of summariseClaims (shared/reads/answer/verification-counts.ts). */
const STATUS = `multiIf(t.verified_requests + t.spoofed_requests = 0, if(t.pending_requests > 0, 'pending', 'unverifiable'), t.pending_requests + t.unverifiable_requests > 0 OR (t.verified_requests > 0 AND t.spoofed_requests > 0), 'mixed', t.verified_requests > 0, 'verified', 'spoofed')`;

const latestOfBot = ['bot_family', 'bot_operator', 'bot_category', 'ai_intent'] as const;
const botList = { from: [botsRollup], by: ['bot_name'], metrics: claimMetrics, latest: latestOfBot } as const;
const botNames = [text('bot_name'), ...latestOfBot.map((name) => text(name, `t.latest_${name}`))];
const botFigures = [
  value('bytes_sent'),
  ...statusColumns,
  value('avg_time_ms', averageTimeMs),
  instant('first_seen'),
  instant('last_seen'),
];

export const botsExport: ExportType = {
  name: 'bots',
  title: 'Bots',
  read: '/bots',
  knows: windowFilters,
  columns: [
    ...botNames,
    value('requests'),
    share,
    text('verification_status', STATUS),
    ...verificationMetrics.map((name) => value(name)),
    value('cdn_verified_requests'),
    value('unique_ips', 't.client_ips'),
    value('unique_paths', 't.paths'),
    ...botFigures,
    value('previous_requests'),
    delta,
  ],
  async compose(deps, unfiltered, question) {
    const scope = namedBot(unfiltered, question);
    const list = await comparedList(deps, scope, { ...botList, name: 'exports.bots' });
    const unique = prefixParameters(
      listRows(scope, {
        name: 'exports.bot_uniques',
        from: [botEstimates],
        by: ['bot_name'],
        metrics: ['requests', 'client_ips', 'paths'],
      }),
      'unique',
    );
    return {
      from: `(SELECT l.*, u.client_ips AS client_ips, u.paths AS paths FROM (${list.sql}) AS l LEFT JOIN (${unique.sql}) AS u ON l.bot_name = u.bot_name) AS t`,
      order: 't.requests DESC, t.bot_name',
      params: { ...list.params, ...unique.params },
    };
  },
};

/** The read of bots, computed for each UTC day of a window. */
export const botHistoryExport: ExportType = {
  name: 'bot-history',
  title: 'Bots by day',
  read: '/bots, of each day',
  knows: windowFilters,
  columns: [
    value('date', "toDate(fromUnixTimestamp64Milli(toInt64(t.time), 'UTC'))"),
    ...botNames,
    value('requests'),
    text('verification_status', STATUS),
    ...verificationMetrics.map((name) => value(name)),
    ...botFigures,
  ],
  async compose(_deps, unfiltered, question) {
    const { sql, params } = listRows(namedBot(unfiltered, question), {
      ...botList,
      name: 'exports.bot_history',
      overTime: true,
      time: 'day',
    });
    return { from: `(${sql}) AS t`, order: 't.time, t.requests DESC, t.bot_name', params };
  },
};
