import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../../../shared/clickhouse/client.js';
import { countBots, readBotTotals } from '../../../../shared/queries/bots.js';
import { listLocations } from '../../../../shared/queries/geography.js';
import { previousWindow, type Scope } from '../../../../shared/queries/scope.js';
import { readStatusCounts, readTrafficTotals } from '../../../../shared/queries/traffic.js';
import { windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { segmentRead } from '../segment-read.js';
import { countryName } from './country-name.js';
import {
  averageTimeMs,
  avgTimeMs,
  bytesSent,
  changePct,
  count,
  deltaPct,
  percentOf,
  requestCount,
  sharePct,
  statusClassCounts,
  toStatusClassCounts,
  twoDigits,
  uniqueIps,
  uniquePaths,
} from './figures.js';

const TOP = 5;

const quantile = (share: string) =>
  z
    .number()
    .nullable()
    .openapi({
      description: `Time within which ${share} of the timed requests were answered, in milliseconds, to 0.4 % of its value; null where none was timed.`,
    });

const metrics = z.object({
  total_requests: requestCount,
  human_requests: count('Requests that claim no bot.'),
  bot_requests: count('Requests that claim to be a bot.'),
  search_bot_requests: count('Bots that crawl for a search engine.'),
  ai_bot_requests: count('Bots of AI operators, whatever they fetch for.'),
  other_bot_requests: requestCount,
  verified_bot_requests: count('Bots proved to be who they say.'),
  spoofed_bot_requests: count('Bots that failed the verification of the name they claim.'),
  unverifiable_bot_requests: count('Bots whose operator publishes no way to verify them.'),
  pending_bot_requests: count('Bots whose verification is not answered yet.'),
  unique_ips: uniqueIps,
  unique_human_ips: count('Distinct addresses of human traffic, with the error of unique_ips.'),
  unique_paths: uniquePaths,
  bytes_sent: bytesSent,
  ...statusClassCounts,
  error_rate_4xx_pct: z.number().openapi({ description: 'Percent of requests answered 4xx.' }),
  error_rate_5xx_pct: z.number().openapi({ description: 'Percent of requests answered 5xx.' }),
  avg_time_ms: avgTimeMs,
  p50_time_ms: quantile('half'),
  p95_time_ms: quantile('95 %'),
  p99_time_ms: quantile('99 %'),
});

type Metrics = z.input<typeof metrics>;

const comparedMetrics = [
  'total_requests',
  'human_requests',
  'bot_requests',
  'search_bot_requests',
  'ai_bot_requests',
  'verified_bot_requests',
  'spoofed_bot_requests',
  'unique_ips',
  'unique_human_ips',
  'unique_paths',
  'bytes_sent',
  'avg_time_ms',
  'p95_time_ms',
] as const satisfies readonly (keyof Metrics)[];

type Compared = `${(typeof comparedMetrics)[number]}_pct`;

const points = z.number().openapi({ description: 'Change in percentage points.' });

const deltas = z
  .object({
    ...(Object.fromEntries(comparedMetrics.map((name) => [`${name}_pct`, deltaPct])) as Record<
      Compared,
      typeof deltaPct
    >),
    error_rate_4xx_pp: points,
    error_rate_5xx_pp: points,
  })
  .openapi({ description: 'This window against the previous one.' });

export const getSummary = segmentRead({
  id: 'getSummary',
  tag: 'Traffic',
  path: '/summary',
  summary: 'Key figures',
  description:
    'Volume, who sends it, errors and speed at a glance, beside the window of the same length just before.',
  query: z.object(windowParameters()),
  answer: metrics.extend({
    window: answerWindow,
    top_bots: z.array(z.object({ bot_name: z.string(), requests: requestCount })),
    top_countries: z.array(
      z.object({
        country: z
          .string()
          .openapi({ description: 'ISO 3166-1 alpha-2; empty where unknown.', example: 'DE' }),
        country_name: z.string(),
        requests: requestCount,
        share_pct: sharePct,
      }),
    ),
    top_status_codes: z.array(z.object({ status: z.int(), requests: requestCount, share_pct: sharePct })),
    previous: metrics.extend({ window: answerWindow }),
    deltas,
  }),
  async read(reader, scope) {
    const before = { ...scope, window: previousWindow(scope.window) };
    const [current, previous, bots, countries, statuses] = await Promise.all([
      readMetrics(reader, scope),
      readMetrics(reader, before),
      countBots(reader, scope, { splitVariants: false, limit: TOP }),
      listLocations(reader, scope, { by: 'country', limit: TOP }),
      readStatusCounts(reader, scope),
    ]);
    const share = (requests: number) => percentOf(requests, current.total_requests);
    return {
      window: toAnswerWindow(scope.window),
      ...current,
      top_bots: bots.map(({ bot_name, requests }) => ({ bot_name, requests })),
      top_countries: countries.map(({ country, requests }) => ({
        country,
        country_name: countryName(country),
        requests,
        share_pct: share(requests),
      })),
      top_status_codes: statuses
        .toSorted((a, b) => b.requests - a.requests || a.status - b.status)
        .slice(0, TOP)
        .map(({ status, requests }) => ({ status, requests, share_pct: share(requests) })),
      previous: { window: toAnswerWindow(before.window), ...previous },
      deltas: compare(current, previous),
    };
  },
});

async function readMetrics(reader: ClickHouseReader, scope: Scope): Promise<Metrics> {
  const [traffic, bots] = await Promise.all([readTrafficTotals(reader, scope), readBotTotals(reader, scope)]);
  const [p50, p95, p99] = traffic.time_quantiles;
  return {
    total_requests: traffic.requests,
    human_requests: traffic.human_requests,
    bot_requests: traffic.requests - traffic.human_requests,
    search_bot_requests: traffic.search_bot_requests,
    ai_bot_requests: traffic.ai_bot_requests,
    other_bot_requests: traffic.other_bot_requests,
    verified_bot_requests: bots.verified_requests,
    spoofed_bot_requests: bots.spoofed_requests,
    unverifiable_bot_requests: bots.unverifiable_requests,
    pending_bot_requests: bots.pending_requests,
    unique_ips: traffic.unique_ips,
    unique_human_ips: traffic.unique_human_ips,
    unique_paths: traffic.unique_paths,
    bytes_sent: traffic.bytes_sent,
    ...toStatusClassCounts(traffic),
    error_rate_4xx_pct: percentOf(traffic.status_4xx, traffic.requests),
    error_rate_5xx_pct: percentOf(traffic.status_5xx, traffic.requests),
    avg_time_ms: averageTimeMs(traffic),
    p50_time_ms: p50,
    p95_time_ms: p95,
    p99_time_ms: p99,
  };
}

function compare(current: Metrics, previous: Metrics): z.input<typeof deltas> {
  const changes = comparedMetrics.map((name) => [`${name}_pct`, changePct(current[name], previous[name])]);
  return {
    ...(Object.fromEntries(changes) as Record<Compared, number | null>),
    error_rate_4xx_pp: twoDigits(current.error_rate_4xx_pct - previous.error_rate_4xx_pct),
    error_rate_5xx_pp: twoDigits(current.error_rate_5xx_pct - previous.error_rate_5xx_pct),
  };
}
