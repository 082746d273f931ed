import { z } from '@hono/zod-openapi';
import { ALERT_GRACE_MS, EVIDENCE_GRACE_MS } from '../../control/aggregates/resolution.js';
import { HOUR_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { count } from '../answer/figures.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { basesFields, readCrawlBases } from '../bots/counted-crawlers.js';
import type { Scope } from '../sql/scope.js';
import { type AddressCandidate, LEAST_PROBES, readBlockCandidates } from './block-candidates.js';
import { readClientSamples } from './client-samples.js';
import { readNotFoundCandidates, readSlowCandidates } from './path-candidates.js';
import type { RecommendationInput } from './recommendation-input.js';
import {
  blockItem,
  notFoundItem,
  slowItem,
  toBlockItem,
  toNotFoundItem,
  toSlowItem,
  toUnverifiedItem,
  toWindowDays,
  unverifiedItem,
  windowDays,
} from './recommendation-items.js';

/** Maximum items of each list; the details and the snippets have more. */
const MOST_LISTED = 50;

const best = `Best score first, at most ${MOST_LISTED}.`;

export const REAPPEARS = `A resolved item is hidden and counted in \`resolved_count\`. It reopens with newer evidence. For alerts: one names it and its \`last_seen\` is more than ${ALERT_GRACE_MS / HOUR_MS} hour after the resolution. Other evidence must come more than ${EVIDENCE_GRACE_MS / HOUR_MS} hours after it: a request answered 404, or a UTC day, starting then, on which the path was slow by itself or the false claim was answered other than 4xx. A claim that is always rejected is blocked already.`;

/** Recommended actions for a website. Alerts and rollups provide all lists; single requests provide samples of the addresses to block. */
export const recommendations = answer({
  schema: z.object({
    ...datedWindow,
    window_days: windowDays,
    ...basesFields,
    resolved_count: count('Resolved recommendations, which these lists exclude; null while data_buffering.'),
    ips_to_block: z.array(blockItem).openapi({
      description: `Addresses with at least one of: an alert of type hacking_probe, scraper or fake_crawler that names it; ten or more requests whose claim to be a crawler was disproved; ${LEAST_PROBES} or more requests that only a vulnerability scanner makes. ${best} Excludes addresses that were verified as a crawler's in the window, addresses that a search engine publishes for its crawlers, and private networks.`,
    }),
    paths_404: z.array(notFoundItem).openapi({
      description: `Paths with requests answered 404, among the 500 paths with the most requests answered 4xx. ${best} Null while data_buffering.`,
    }),
    unverified_bots: z.array(unverifiedItem).openapi({
      description: `Disproved claims to be a bot, by claimed bot and address. ${best} The exclusions of ips_to_block apply.`,
    }),
    slow_paths: z.array(slowItem).openapi({
      description: `Paths that are slow on average, among the 1000 paths with the most total time. ${best}`,
    }),
  }),
  from: [],
  async read(reader, scope, input: RecommendationInput) {
    const bases = await readCrawlBases(reader, scope);
    const [{ fields }, { addresses, impostors }, slow] = await Promise.all([
      dateWindow(reader, scope),
      readBlockCandidates(reader, scope, input),
      readSlowCandidates(reader, scope, input, bases),
    ]);
    return {
      ...fields,
      window_days: toWindowDays(scope.window),
      ...{ crawl_basis: bases.search, ai_basis: bases.ai },
      resolved_count: resolvedOf(addresses) + resolvedOf(impostors) + resolvedOf(slow),
      ips_to_block: await readBlockItems(reader, scope, open(addresses).slice(0, MOST_LISTED)),
      paths_404: [],
      unverified_bots: open(impostors).slice(0, MOST_LISTED).map(toUnverifiedItem),
      slow_paths: open(slow).slice(0, MOST_LISTED).map(toSlowItem),
    };
  },
  async complete(reader, scope, input, firstHalf) {
    const bases = { search: firstHalf.crawl_basis, ai: firstHalf.ai_basis };
    const found = await readNotFoundCandidates(reader, scope, input, bases);
    return {
      ...firstHalf,
      resolved_count: firstHalf.resolved_count + resolvedOf(found),
      paths_404: open(found).slice(0, MOST_LISTED).map(toNotFoundItem),
    };
  },
});

/** Candidates that are not marked as done. */
export function open<Candidate extends { readonly isResolved: boolean }>(
  candidates: readonly Candidate[],
): Candidate[] {
  return candidates.filter(({ isResolved }) => !isResolved);
}

function resolvedOf(candidates: readonly { readonly isResolved: boolean }[]): number {
  return candidates.length - open(candidates).length;
}

async function readBlockItems(
  reader: ClickHouseReader,
  scope: Scope,
  candidates: readonly AddressCandidate[],
) {
  const samples = await readClientSamples(
    reader,
    scope,
    candidates.map(({ facts: { client_ip, first_seen, last_seen } }) => ({
      client_ip,
      instants: [first_seen, last_seen],
    })),
  );
  return candidates.map((candidate) =>
    toBlockItem(candidate, samples.get(candidate.facts.client_ip) ?? { userAgents: [], paths: [] }),
  );
}
