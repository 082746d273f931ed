import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { countryName } from '../answer/country-name.js';
import {
  averageTimeMs,
  avgTimeMs,
  botRequests,
  bytesSent,
  changesOf,
  count,
  percentOf,
  requestCount,
  sharePct,
  statusClassCounts,
  toStatusClassCounts,
  trafficClassCounts,
  uniqueIps,
  uniquePaths,
} from '../answer/figures.js';
import { previousOf } from '../answer/previous.js';
import { rulesVersions, toRulesVersions } from '../answer/rules-versions.js';
import { countByVerification } from '../answer/verification-counts.js';
import { answerWindow, comparedWindow, compareWindows } from '../answer/windows.js';
import { lateByClass, moveLate } from '../bots/impostors.js';
import { volumeMetrics } from '../sql/metrics.js';
import { bots, countryEstimates, estimates, volumeTables } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select, selectTotal } from '../sql/select.js';
import { type FoldedVolume, foldVolume } from './fold-volume.js';

const TOP = 5;

const inClass = ({ status, requests }: { status: number; requests: number }) => ({
  status_class: Math.floor(status / 100),
  requests,
});

const quantile = (share: string) =>
  z
    .number()
    .nullable()
    .openapi({
      description: `Time within which ${share} of the timed requests were answered, in milliseconds, with an error of at most 0.4 %; null without timed requests.`,
    });

const metrics = z.object({
  total_requests: count('All requests.'),
  ...trafficClassCounts,
  bot_requests: botRequests,
  verified_bot_requests: count('Requests of verified bots.'),
  unverifiable_bot_requests: count(
    'Requests of bots whose operator publishes no way to verify them, or whose published ranges were too old.',
  ),
  pending_bot_requests: count('Requests of bots with a pending verification.'),
  unique_ips: uniqueIps,
  unique_human_ips: count('Distinct addresses of human traffic, with the error of unique_ips.'),
  unique_paths: uniquePaths,
  bytes_sent: bytesSent,
  ...statusClassCounts,
  error_rate_4xx_pct: z.number().openapi({ description: 'Percentage of requests answered 4xx.' }),
  error_rate_5xx_pct: z.number().openapi({ description: 'Percentage of requests answered 5xx.' }),
  avg_time_ms: avgTimeMs,
  p50_time_ms: quantile('half'),
  p95_time_ms: quantile('95 %'),
  p99_time_ms: quantile('99 %'),
});

type Metrics = z.input<typeof metrics>;

const changes = changesOf([
  'total_requests_pct',
  'human_requests_pct',
  'bot_requests_pct',
  'search_bot_requests_pct',
  'ai_bot_requests_pct',
  'other_bot_requests_pct',
  'spoofed_bot_requests_pct',
  'undeclared_agent_requests_pct',
  'verified_bot_requests_pct',
  'unique_ips_pct',
  'unique_human_ips_pct',
  'unique_paths_pct',
  'bytes_sent_pct',
  'avg_time_ms_pct',
  'p95_time_ms_pct',
  'error_rate_4xx_pp',
  'error_rate_5xx_pp',
]);

const rated = (of: Metrics) => ({
  ...of,
  error_rate_4xx: of.error_rate_4xx_pct,
  error_rate_5xx: of.error_rate_5xx_pct,
});

export const summary = answer({
  schema: metrics.extend({
    ...comparedWindow,
    top_bots: z
      .array(z.object({ bot_name: z.string(), requests: requestCount, share_pct: sharePct }))
      .openapi({ description: 'Excludes requests of proven impostors.' }),
    top_countries: z.array(
      z.object({
        country: z.string().openapi({ description: 'ISO 3166-1 alpha-2; empty if unknown.', example: 'DE' }),
        country_name: z.string(),
        requests: requestCount,
        share_pct: sharePct,
      }),
    ),
    top_status_codes: z.array(z.object({ status: z.int(), requests: requestCount, share_pct: sharePct })),
    rules_versions: rulesVersions,
    previous: metrics.extend({ window: answerWindow }),
    deltas: changes.schema.openapi({ description: 'Changes against the previous window.' }),
  }),
  from: [volumeTables, [estimates, countryEstimates], [bots]],
  async read(reader, scope) {
    const [time, volume, unique, claims] = await Promise.all([
      compareWindows(reader, scope),
      readVolume(reader, scope),
      readUniques(reader, scope),
      readClaims(reader, scope),
    ]);
    const current = toMetrics(volume.current, unique, claims.current);
    const previous = toMetrics(volume.previous, previousOf(unique), claims.previous);
    const share = (requests: number) => percentOf(requests, current.total_requests);
    return {
      ...time.windows,
      ...current,
      top_bots: claims.top.map((row) => ({ ...row, share_pct: share(row.requests) })),
      top_countries: volume.countries.map(({ country, requests }) => ({
        country,
        country_name: countryName(country),
        requests,
        share_pct: share(requests),
      })),
      top_status_codes: volume.statuses.map(({ status, requests }) => ({
        status,
        requests,
        share_pct: share(requests),
      })),
      rules_versions: toRulesVersions(claims.versions),
      previous: { window: time.previous, ...previous },
      deltas: changes.between(rated(current), rated(previous), time.change, () => previous.total_requests),
    };
  },
});

/** Above the number of statuses and of classes. */
const ALL = 1_000;

/** Counts by class and by status: folding them here is cheaper than many conditions in the engine. */
async function readVolume(reader: ClickHouseReader, scope: Scope) {
  const { classes, statuses, countries } = await select(reader, scope, {
    name: 'summary.traffic',
    from: volumeTables,
    lists: {
      classes: { by: ['traffic_class'], limit: ALL, withPast: true },
      statuses: { by: ['status'], limit: ALL, withPast: true },
      countries: { by: ['country'], limit: TOP },
    },
    metrics: volumeMetrics,
    previous: volumeMetrics,
  });
  return {
    current: foldVolume(classes, statuses.map(inClass)),
    previous: foldVolume(classes.map(previousOf), statuses.map(previousOf).map(inClass)),
    countries,
    statuses: statuses.filter(({ requests }) => requests > 0).slice(0, TOP),
  };
}

async function readUniques(reader: ClickHouseReader, scope: Scope) {
  const estimated = ['client_ips', 'human_client_ips', 'paths', 'time_quantiles'] as const;
  return selectTotal(reader, scope, {
    name: 'summary.uniques',
    from: [estimates, countryEstimates],
    metrics: estimated,
    previous: estimated,
  });
}

async function readClaims(reader: ClickHouseReader, scope: Scope) {
  const {
    verifications,
    bots: names,
    versions,
  } = await select(reader, scope, {
    name: 'summary.bots',
    from: [bots],
    lists: {
      verifications: { by: ['bot_category', 'bot_verification', 'verification'], withPast: true },
      bots: { by: ['bot_name'] },
      versions: { by: ['rules_version'] },
    },
    foldedHere: true,
    metrics: ['requests', 'unspoofed_requests'],
    previous: ['requests'],
  });
  return {
    current: verifications,
    previous: verifications.map(previousOf),
    versions,
    top: names
      .map(({ bot_name, unspoofed_requests: requests }) => ({ bot_name, requests }))
      .filter(({ requests }) => requests > 0)
      .sort((a, b) => b.requests - a.requests || (a.bot_name < b.bot_name ? -1 : 1))
      .slice(0, TOP),
  };
}

type Uniques = Awaited<ReturnType<typeof readUniques>>;

interface ClaimCount {
  readonly bot_category: string;
  readonly bot_verification: string;
  readonly verification: string;
  readonly requests: number;
}

function toMetrics(
  volume: FoldedVolume,
  unique: Pick<Uniques, 'client_ips' | 'human_client_ips' | 'paths' | 'time_quantiles'>,
  claims: readonly ClaimCount[],
): Metrics {
  const [p50, p95, p99] = unique.time_quantiles;
  const verified = countByVerification(claims);
  const late = claims.filter((row) => row.bot_verification === 'pending' && row.verification === 'spoofed');
  const classes = moveLate(volume, lateByClass(late));
  return {
    total_requests: volume.requests,
    human_requests: volume.human_requests,
    bot_requests: volume.requests - volume.human_requests,
    search_bot_requests: classes.search_bot_requests,
    ai_bot_requests: classes.ai_bot_requests,
    other_bot_requests: classes.other_bot_requests,
    spoofed_bot_requests: classes.spoofed_bot_requests,
    undeclared_agent_requests: classes.undeclared_agent_requests,
    verified_bot_requests: verified.verified_requests,
    unverifiable_bot_requests: verified.unverifiable_requests,
    pending_bot_requests: verified.pending_requests,
    unique_ips: unique.client_ips,
    unique_human_ips: unique.human_client_ips,
    unique_paths: unique.paths,
    bytes_sent: volume.bytes_sent,
    ...toStatusClassCounts(volume),
    error_rate_4xx_pct: percentOf(volume.status_4xx, volume.requests),
    error_rate_5xx_pct: percentOf(volume.status_5xx, volume.requests),
    avg_time_ms: averageTimeMs(volume),
    p50_time_ms: p50,
    p95_time_ms: p95,
    p99_time_ms: p99,
  };
}
