import { z } from '@hono/zod-openapi';
import { NAMELESS_CLIENTS } from '../../../../shared/crawlers/table.js';
import { answer } from '../../../../shared/reads/answer/answer.js';
import { countryName } from '../../../../shared/reads/answer/country-name.js';
import { botCategory } from '../../../../shared/reads/answer/enumeration.js';
import {
  bytesSent,
  count,
  fieldsOf,
  requestCount,
  uniqueIps,
  uniquePaths,
} from '../../../../shared/reads/answer/figures.js';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import { datedWindow, dateWindow } from '../../../../shared/reads/answer/windows.js';
import { type DimensionFilter, noneOf, oneOf } from '../../../../shared/reads/sql/filters.js';
import { botEstimates, bots as botsRollup, clientIps } from '../../../../shared/reads/sql/read-tables.js';
import type { Scope } from '../../../../shared/reads/sql/scope.js';
import { select, selectList } from '../../../../shared/reads/sql/select.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { readUserAgentSamples } from './user-agent-samples.js';

/** Per bot: enough to identify its operator. */
const SAMPLES = 5;

const unknownBot = z
  .object({
    bot_name: z.string().openapi({
      description: 'The product that its user agent names, without a version.',
      example: 'AcmeFetch',
    }),
    bot_category: botCategory.openapi({
      description: 'Category of the name in public lists of user agents; other: not listed.',
    }),
    requests: requestCount,
    cdn_verified_requests: count("Those that the website's CDN verified."),
    sample_user_agents: z.array(z.string()).openapi({
      description: 'User agents of its first and last requests in the window; at most three.',
    }),
    unique_ips: uniqueIps,
    unique_paths: uniquePaths,
    sample_ips: z
      .array(z.object({ client_ip: z.string(), requests: requestCount }))
      .openapi({ description: `At most ${SAMPLES}; most requests first.` }),
    networks: z
      .array(
        z.object({
          ip_range: z
            .string()
            .openapi({ description: '/24 of IPv4, /48 of IPv6.', example: '203.0.113.0/24' }),
          asn: z.int().nullable().openapi({ description: 'Autonomous system; null where unknown.' }),
          as_name: z.string().openapi({ description: 'Empty where unknown.' }),
          requests: requestCount,
        }),
      )
      .openapi({ description: `Networks of its addresses, at most ${SAMPLES}; most requests first.` }),
    countries: z
      .array(
        z.object({
          country: z.string().openapi({ description: 'ISO 3166-1 alpha-2; empty where unknown.' }),
          country_name: z.string(),
          requests: requestCount,
        }),
      )
      .openapi({ description: `At most ${SAMPLES}; most requests first.` }),
    bytes_sent: bytesSent,
    first_seen: instant.openapi({ description: 'First request in the window.' }),
    last_seen: instant.openapi({ description: 'Last request in the window.' }),
  })
  .openapi('UnknownBot');

/** Bots that declare themselves and are not in the crawler table. Their operator is unknown. */
export const unknownBots = answer({
  schema: z.object({
    ...datedWindow,
    unknown_bots: count('Number of all names, listed or not.'),
    requests: count('Requests of all of them.'),
    bots: z.array(unknownBot).openapi({ description: 'Most requests first.' }),
  }),
  from: [[botsRollup], [botEstimates], [clientIps]],
  async read(reader, scope, { limit }: { limit: number }) {
    const [dated, { list, total }] = await Promise.all([
      dateWindow(reader, scope),
      readNames(reader, scope, limit),
    ]);
    const [countries, uniques, addresses, networks, userAgents] =
      list.length === 0
        ? [[], [], [], [], new Map<string, string[]>()]
        : await readFacts(reader, scope, list);
    return {
      ...dated.fields,
      unknown_bots: total[0]!.distinct_bot_name,
      requests: total[0]!.requests,
      bots: list.map((row) => {
        const rowsOfBot = <Row extends { bot_name: string }>(rows: readonly Row[]) =>
          rows.filter(({ bot_name }) => bot_name === row.bot_name);
        const [unique] = rowsOfBot(uniques);
        return fieldsOf(unknownBot, {
          ...row,
          bot_category: row.latest_bot_category,
          sample_user_agents: userAgents.get(row.bot_name) ?? [],
          unique_ips: unique?.client_ips ?? 0,
          unique_paths: unique?.paths ?? 0,
          sample_ips: rowsOfBot(addresses).map(({ client_ip, requests }) => ({ client_ip, requests })),
          networks: rowsOfBot(networks).map(({ network, asn, as_name, requests }) => ({
            ip_range: network,
            asn: asn === 0 ? null : asn,
            as_name,
            requests,
          })),
          countries: rowsOfBot(countries).map(({ country, requests }) => ({
            country,
            country_name: countryName(country),
            requests,
          })),
          first_seen: toInstant(row.first_seen),
          last_seen: toInstant(row.last_seen),
        });
      }),
    };
  },
});

/** Every entry of the table has an operator. A client without a complete user agent has no name to look up. */
const unknown: readonly DimensionFilter[] = [
  oneOf('bot_operator', ['']),
  noneOf('bot_name', NAMELESS_CLIENTS),
];

function readNames(reader: ClickHouseReader, scope: Scope, limit: number) {
  return select(reader, scope, {
    name: 'bots_unknown.names',
    from: [botsRollup],
    lists: { list: { by: ['bot_name'], limit }, total: { by: [] } },
    metrics: ['requests', 'cdn_verified_requests', 'bytes_sent', 'first_seen', 'last_seen'],
    latest: ['bot_category'],
    distinct: ['bot_name'],
    where: unknown,
  });
}

/** Reads networks, counts of addresses and paths, and user agents of each bot. */
function readFacts(
  reader: ClickHouseReader,
  scope: Scope,
  bots: Awaited<ReturnType<typeof readNames>>['list'],
) {
  const isListed = oneOf(
    'bot_name',
    bots.map(({ bot_name }) => bot_name),
  );
  const sampled = { limit: SAMPLES, limitPer: 'bot_name', where: [isListed] } as const;
  return Promise.all([
    selectList(reader, scope, {
      ...sampled,
      name: 'bots_unknown.countries',
      from: [botsRollup],
      by: ['bot_name', 'country'],
      metrics: ['requests'],
      where: [oneOf('bot_operator', ['']), isListed],
    }),
    selectList(reader, scope, {
      name: 'bots_unknown.uniques',
      from: [botEstimates],
      by: ['bot_name'],
      metrics: ['requests', 'client_ips', 'paths'],
      where: [isListed],
    }),
    selectList(reader, scope, {
      ...sampled,
      name: 'bots_unknown.addresses',
      from: [clientIps],
      by: ['bot_name', 'client_ip'],
      metrics: ['requests'],
    }),
    selectList(reader, scope, {
      ...sampled,
      name: 'bots_unknown.networks',
      from: [clientIps],
      by: ['bot_name', 'network'],
      metrics: ['requests', 'asn', 'as_name'],
    }),
    readUserAgentSamples(
      reader,
      scope,
      bots.map((row) => ({ bot_name: row.bot_name, instants: [row.first_seen, row.last_seen] })),
    ),
  ]);
}
