import { z } from '@hono/zod-openapi';
import {
  type ClaimRow,
  type ClientIpRow,
  listClaims,
  listClientIps,
  listIpRanges,
} from '../../../../shared/queries/client-ips.js';
import { readRequestTotals } from '../../../../shared/queries/estimates.js';
import { websiteRead } from '../../operation.js';
import { integerParameter, resolveScope, windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { instant, toInstant } from '../instant.js';
import { botVerdict, toBotVerdict } from '../requests/request-rows.js';
import { countryName } from './country-name.js';
import { bytesSent, count, percentOf, requestCount, sharePct, uniqueIps } from './figures.js';

/** A scanner may walk through every crawler's name; its first few say enough. */
const MAX_CLAIMS = 10;

const clientIp = z
  .object({
    client_ip: z.string().openapi({ example: '66.249.66.1' }),
    country: z
      .string()
      .openapi({ description: 'ISO 3166-1 alpha-2, of the latest request; empty where unknown.' }),
    country_name: z.string(),
    asn: z
      .int()
      .nullable()
      .openapi({ description: 'Autonomous system; null where unknown.', example: 15169 }),
    as_name: z.string(),
    requests: requestCount,
    share_pct: sharePct,
    bot_requests: count('Requests that claim to be a bot.'),
    claims: z.array(z.object({ bot_name: z.string(), ...botVerdict, requests: requestCount })).openapi({
      description: `Which bots the address claims to be, at most ${MAX_CLAIMS}; most requests first. Empty for humans.`,
    }),
    status_4xx: requestCount,
    status_5xx: requestCount,
    error_rate_pct: z.number().openapi({ description: 'Percent of its requests answered 4xx or 5xx.' }),
    bytes_sent: bytesSent,
    first_seen: instant.openapi({ description: 'First request inside the window.' }),
    last_seen: instant.openapi({ description: 'Last request inside the window.' }),
  })
  .openapi('ClientIp');

export const getIps = websiteRead({
  id: 'getIps',
  tag: 'Traffic',
  path: '/ips',
  summary: 'Client addresses and address ranges',
  description:
    'Who sends most requests: single addresses, and networks of /24 (IPv4) and /48 (IPv6), in which crawlers and scrapers spread over many addresses show. Most requests first.',
  query: z.object({
    ...windowParameters(),
    limit: integerParameter({
      min: 1,
      max: 1000,
      default: 100,
      description: 'Addresses in the answer, and ranges.',
    }),
  }),
  answer: z.object({
    window: answerWindow,
    total_requests: requestCount,
    unique_ips: uniqueIps,
    ips: z.array(clientIp),
    ip_ranges: z.array(
      z.object({
        ip_range: z.string().openapi({ example: '66.249.66.0/24' }),
        requests: requestCount,
        share_pct: sharePct,
        bot_requests: count('Requests that claim to be a bot.'),
        unique_ips: count('Distinct addresses of the range, exactly.'),
        status_4xx: requestCount,
        status_5xx: requestCount,
      }),
    ),
  }),
  async run(input, context) {
    const scope = resolveScope(input, context);
    const { reader } = context.services;
    const [totals, rows, ranges] = await Promise.all([
      readRequestTotals(reader, scope),
      listClientIps(reader, scope, { limit: input.limit }),
      listIpRanges(reader, scope, { limit: input.limit }),
    ]);
    const claimants = rows.filter((row) => row.bot_requests > 0).map((row) => row.client_ip);
    const claims =
      claimants.length === 0
        ? []
        : await listClaims(reader, scope, { clientIps: claimants, perIp: MAX_CLAIMS });
    return {
      window: toAnswerWindow(scope.window),
      total_requests: totals.requests,
      unique_ips: totals.unique_ips,
      ips: rows.map((row) =>
        toClientIp(
          row,
          claims.filter(({ client_ip }) => client_ip === row.client_ip),
          totals.requests,
        ),
      ),
      ip_ranges: ranges.map((row) => ({ ...row, share_pct: percentOf(row.requests, totals.requests) })),
    };
  },
});

function toClientIp(
  row: ClientIpRow,
  claims: readonly ClaimRow[],
  totalRequests: number,
): z.input<typeof clientIp> {
  return {
    client_ip: row.client_ip,
    country: row.country,
    country_name: countryName(row.country),
    asn: row.asn === 0 ? null : row.asn,
    as_name: row.as_name,
    requests: row.requests,
    share_pct: percentOf(row.requests, totalRequests),
    bot_requests: row.bot_requests,
    claims: claims.map(({ bot_name, verification, requests }) => ({
      bot_name,
      ...toBotVerdict(verification),
      requests,
    })),
    status_4xx: row.status_4xx,
    status_5xx: row.status_5xx,
    error_rate_pct: percentOf(row.status_4xx + row.status_5xx, row.requests),
    bytes_sent: row.bytes_sent,
    first_seen: toInstant(row.first_seen),
    last_seen: toInstant(row.last_seen),
  };
}
