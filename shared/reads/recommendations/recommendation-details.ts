import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { averageTimeMs, count, humanRequests, percentOf, uniquePaths } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import type { CrawlBases } from '../bots/crawl-basis-sql.js';
import { oneOf } from '../sql/filters.js';
import { bots } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select } from '../sql/select.js';
import { readBlockCandidates } from './block-candidates.js';
import { readNotFoundAgents, readSlow, type SlowPath } from './failing-paths.js';
import { readImpostorRequests } from './impostor-requests.js';
import { readNotFoundCandidates, readSlowCandidates } from './path-candidates.js';
import type { RecommendationInput } from './recommendation-input.js';
import {
  notFoundItem,
  slowItem,
  toNotFoundItem,
  toSlowItem,
  toUnverifiedItem,
  unverifiedItem,
} from './recommendation-items.js';
import { open } from './recommendations.js';

/** Complete lists of recommendations: their figures come from the single requests of the window. */

export interface RecommendationDetail<Item extends z.ZodObject> {
  readonly item: Item;
  /** Whether the list counts search crawlers and AI crawlers. */
  readonly hasBases: boolean;
  /** Open items, best first. @throws as ClickHouseReader.read */
  read(
    reader: ClickHouseReader,
    scope: Scope,
    input: RecommendationInput,
    bases: CrawlBases,
  ): Promise<z.input<Item>[]>;
}

const detail = <Item extends z.ZodObject>(value: RecommendationDetail<Item>) => value;

/** Maximum items of each list. */
export const MOST_DETAILS = 500;

const firstSeen = instant.openapi({ description: 'The first of these requests in the window.' });
const sampleUserAgents = z
  .array(z.string())
  .openapi({ description: 'At most three, cut to 500 characters.' });

const whose = {
  human_requests: humanRequests,
  search_bot_requests: count('Requests of search crawlers, as crawl_basis selects them.'),
  ai_bot_requests: count('Requests of bots of AI operators, as ai_basis selects them.'),
  verified_bot_requests: count('Requests of verified bots.'),
  verified_bot_share_pct: z.number().openapi({ description: 'Their percentage of these requests.' }),
  sample_user_agents: sampleUserAgents.openapi({
    description: 'The last ones of people, of verified bots and of others, cut to 500 characters.',
  }),
  first_seen: firstSeen,
};

type Whose = Pick<SlowPath, 'hits' | 'people' | 'search' | 'ai' | 'verified' | 'first_seen'>;

const toWhose = (
  { hits, people, search, ai, verified, first_seen }: Whose,
  userAgents: readonly string[],
) => ({
  human_requests: people,
  search_bot_requests: search,
  ai_bot_requests: ai,
  verified_bot_requests: verified,
  verified_bot_share_pct: percentOf(verified, hits),
  sample_user_agents: [...userAgents],
  first_seen: toInstant(first_seen),
});

export const notFoundDetail = detail({
  item: notFoundItem
    .extend({
      ...whose,
      served_requests: count('Requests for the path in the window that were answered 2xx or 3xx.'),
    })
    .openapi('NotFoundDetail'),
  hasBases: true,
  async read(reader, scope, input, bases) {
    const found = open(await readNotFoundCandidates(reader, scope, input, bases));
    const userAgents = await readNotFoundAgents(
      reader,
      scope,
      found.map(({ path }) => path),
    );
    return found.map((candidate) => ({
      ...toNotFoundItem(candidate),
      ...toWhose(candidate.requests, userAgents.get(candidate.path) ?? []),
      served_requests: candidate.served,
    }));
  },
});

export const slowDetail = detail({
  item: slowItem
    .extend({
      ...whose,
      p95_latency_ms: z
        .number()
        .nullable()
        .openapi({ description: 'Time within which 95 % of the requests were answered; an estimate.' }),
      max_latency_ms: z.number().nullable(),
    })
    .openapi('SlowDetail'),
  hasBases: true,
  async read(reader, scope, input, bases) {
    const candidates = open(await readSlowCandidates(reader, scope, input, bases)).slice(0, MOST_DETAILS);
    const rows = await readSlow(
      reader,
      scope,
      candidates.map(({ path }) => path),
      bases,
    );
    const rowOf = new Map(rows.map((row) => [row.path, row]));
    return candidates.flatMap((candidate) => {
      const row = rowOf.get(candidate.path);
      if (row === undefined) return [];
      const { timed, time_taken_ms, p95, max_ms } = row;
      return [
        {
          ...toSlowItem(candidate),
          avg_latency_ms: averageTimeMs({ time_taken_ms, timed_requests: timed }) ?? 0,
          timed_requests: timed,
          ...toWhose(row, row.user_agents),
          p95_latency_ms: p95,
          max_latency_ms: max_ms,
        },
      ];
    });
  },
});

export const unverifiedDetail = detail({
  item: unverifiedItem
    .extend({
      refused_requests: count('These requests that were answered 401, 403, 429 or 451.'),
      not_found_requests: count('Of them, answered 404.'),
      unique_paths: uniquePaths,
      bot_verified_share_pct: z.number().openapi({
        description: 'Verified percentage of all requests of the window that claim to be this bot.',
      }),
      sample_user_agents: sampleUserAgents,
      sample_paths: z.array(z.string()).openapi({ description: 'At most three.' }),
      first_seen: firstSeen,
    })
    .openapi('UnverifiedBotDetail'),
  hasBases: false,
  async read(reader, scope, input) {
    const { impostors } = await readBlockCandidates(reader, scope, input);
    const candidates = open(impostors).slice(0, MOST_DETAILS);
    const [rows, claimed] = await Promise.all([
      readImpostorRequests(reader, scope, [...new Set(candidates.map(({ facts }) => facts.client_ip))]),
      readClaimedBots(reader, scope, [...new Set(candidates.map(({ botName }) => botName))]),
    ]);
    const rowOf = new Map(rows.map((row) => [`unverified:${row.bot_name}:${row.client_ip}`, row]));
    return candidates.flatMap((candidate) => {
      const row = rowOf.get(candidate.key);
      if (row === undefined) return [];
      const bot = claimed.get(candidate.botName) ?? { requests: 0, verified_requests: 0 };
      return [
        {
          ...toUnverifiedItem(candidate),
          request_count: row.hits,
          refused_requests: row.refused,
          not_found_requests: row.not_found,
          unique_paths: row.distinct_paths,
          bot_verified_share_pct: percentOf(bot.verified_requests, bot.requests),
          sample_user_agents: row.user_agents,
          sample_paths: row.paths,
          first_seen: toInstant(row.first_seen),
          last_seen: toInstant(row.last_seen),
        },
      ];
    });
  },
});

/** Requests by claimed name, and the verified ones. @throws as ClickHouseReader.read */
export async function readClaimedBots(
  reader: ClickHouseReader,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, { requests: number; verified_requests: number }>> {
  if (names.length === 0) return new Map();
  const { list } = await select(reader, scope, {
    name: 'recommendations.claimed_bots',
    from: [bots],
    lists: { list: { by: ['bot_name'] } },
    metrics: ['requests', 'verified_requests'],
    where: [oneOf('bot_name', names)],
  });
  return new Map(list.map(({ bot_name, ...figures }) => [bot_name, figures]));
}
