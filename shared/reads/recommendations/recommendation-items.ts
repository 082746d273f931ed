import { z } from '@hono/zod-openapi';
import { DAY_MS } from '../../durations.js';
import { averageTimeMs, count, loggedPath, requestCount, twoDigits } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import type { Window } from '../sql/scope.js';
import type { AddressCandidate, ImpostorCandidate } from './block-candidates.js';
import type { NotFoundCandidate, SlowCandidate } from './path-candidates.js';
import { SCORES, type Scored, SLOW_MS } from './recommendation-scores.js';

/** Items of the lists of recommendations (spec §2.10). */

const keyed = (form: string, list: keyof typeof SCORES) => ({
  key: z.string().openapi({ description: `\`${form}\`: the key for resolving it.` }),
  score: z.number().openapi({ description: `Ranking score from 0 to 100: ${SCORES[list]}` }),
  reason_badges: z.array(z.string()).openapi({ description: 'Reasons for the item, and cautions.' }),
});

const SHARED =
  '`shared_network:<kind>` names others whom a rule would affect: ai_operator, known_service, search_engine, cdn, carrier, anonymiser, from published ranges and autonomous systems. An address without it may still be shared.';

const country = z
  .string()
  .openapi({ description: 'ISO 3166-1 alpha-2, of the latest request; empty if unknown.' });
const asn = z.int().nullable().openapi({ description: 'Autonomous system; null if unknown.' });
const asName = z.string().openapi({ description: 'Empty if unknown.' });
const lastSeen = instant.openapi({ description: 'The last of these requests in the window.' });

export const blockItem = z
  .object({
    ...keyed('ip:<ip>', 'ips_to_block'),
    ip: z.string().openapi({ example: '203.0.113.9' }),
    country,
    asn,
    as_name: asName,
    request_count: count('Its requests in the window, for any path.'),
    alert_types: z.array(z.enum(['hacking_probe', 'scraper', 'fake_crawler'])).openapi({
      description:
        'Types of the alerts in the window that name it; empty if only false claims or many probes are evidence.',
    }),
    sample_user_agent: z.string().openapi({ description: 'From its first or last request in the window.' }),
    sample_paths: z.array(z.string()).openapi({ description: 'A few of its requested paths.' }),
    last_seen: lastSeen,
  })
  .openapi('BlockRecommendation', { description: SHARED });

export const notFoundItem = z
  .object({
    ...keyed('404:<path>', 'paths_404'),
    path: loggedPath,
    request_count: count('Requests answered 404.'),
    last_seen: lastSeen,
  })
  .openapi('NotFoundRecommendation');

export const unverifiedItem = z
  .object({
    ...keyed('unverified:<bot>:<ip>', 'unverified_bots'),
    claimed_bot: z.string().openapi({ example: 'Googlebot' }),
    ip: z.string().openapi({ example: '203.0.113.9' }),
    request_count: count('Requests from this address that claim to be this bot and were disproved.'),
    country,
    asn,
    as_name: asName,
    last_seen: lastSeen,
  })
  .openapi('UnverifiedBotRecommendation', { description: SHARED });

export const slowItem = z
  .object({
    ...keyed('slow:<path>', 'slow_paths'),
    path: loggedPath,
    avg_latency_ms: z.number().openapi({
      description: `Mean response time of the server, over requests whose source reports it; at least ${SLOW_MS}.`,
    }),
    timed_requests: requestCount,
    last_seen: instant.openapi({ description: 'Its last request in the window.' }),
  })
  .openapi('SlowRecommendation');

const standing = ({ key, score, reason_badges }: Scored & { key: string }) => ({ key, score, reason_badges });

const whence = ({ facts }: AddressCandidate | ImpostorCandidate) => ({
  country: facts.latest_country,
  asn: facts.asn === 0 ? null : facts.asn,
  as_name: facts.as_name,
});

export function toBlockItem(
  candidate: AddressCandidate,
  sample: { userAgents: readonly string[]; paths: readonly string[] },
): z.input<typeof blockItem> {
  const { facts, alert } = candidate;
  return {
    ...standing(candidate),
    ip: facts.client_ip,
    ...whence(candidate),
    request_count: facts.requests,
    alert_types: [...(alert?.types ?? [])],
    sample_user_agent: sample.userAgents[0] ?? '',
    sample_paths: [...new Set([...(alert?.samplePaths ?? []), ...sample.paths])].slice(0, 5),
    last_seen: toInstant(facts.last_seen),
  };
}

export function toNotFoundItem(candidate: NotFoundCandidate): z.input<typeof notFoundItem> {
  const { path, requests } = candidate;
  return {
    ...standing(candidate),
    path,
    request_count: requests.hits,
    last_seen: toInstant(requests.last_seen),
  };
}

export function toUnverifiedItem(candidate: ImpostorCandidate): z.input<typeof unverifiedItem> {
  return {
    ...standing(candidate),
    claimed_bot: candidate.botName,
    ip: candidate.facts.client_ip,
    request_count: candidate.requests,
    ...whence(candidate),
    last_seen: toInstant(candidate.lastSeen),
  };
}

export function toSlowItem(candidate: SlowCandidate): z.input<typeof slowItem> {
  return {
    ...standing(candidate),
    path: candidate.path,
    avg_latency_ms: averageTimeMs(candidate) ?? 0,
    timed_requests: candidate.timed_requests,
    last_seen: toInstant(candidate.lastSeen),
  };
}

export const windowDays = z.number().openapi({ description: 'Length of the window in days.', example: 1 });

export function toWindowDays({ start, end }: Window): number {
  return twoDigits((end - start) / DAY_MS);
}
