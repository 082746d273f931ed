import type { SharedNetwork } from '../../crawlers/shared-networks.js';
import type { AddressAlertType } from '../alerts/address-alerts.js';
import { twoDigits } from '../answer/figures.js';

/** Ranks recommendations: a score from 0 to 100 for their value, and badges for their reasons. */

/** Mean time from which a path counts as slow, in milliseconds: above it crawlers reduce their requests, and people leave. */
export const SLOW_MS = 1_000;
/** Fewer timed requests are not enough evidence for a path. */
const LEAST_TIMED = 5;
/** Mean size from which the client's connection, not the server, takes the time. */
const LARGE_BYTES = 1024 ** 2;
/** Share of 4xx from which an address requests almost no existing page. */
const MOSTLY = 0.8;

export const SCORES = {
  ips_to_block:
    '50 for a hacking_probe (an alert, or many probes), 40 for a fake_crawler (an alert, or disproved claims), 30 for a scraper, and 10 if an alert is critical. 5 for each power of ten of its requests. Halved in a shared network.',
  paths_404:
    '20 for each power of ten of weighted requests answered 404: people and AI bots count 1, search crawlers 3, others 0.1. Others include crawlers whose requests are not counted (crawl_basis, ai_basis). If only vulnerability scanners request the path (`probe`), all except search crawlers count a tenth.',
  unverified_bots:
    '20 for each power of ten of its requests, and 20 more if it claims to be a search crawler; halved in a shared network.',
  slow_paths: `20 for each power of ten of the seconds lost: the mean time above ${SLOW_MS} ms, times the timed requests; halved if the responses have more than 1 MiB on average.`,
} as const;

export interface Scored {
  readonly score: number;
  readonly reason_badges: string[];
}

const points = { hacking_probe: 50, fake_crawler: 40, scraper: 30 } as const satisfies Record<
  AddressAlertType,
  number
>;

const powers = (value: number) => Math.log10(1 + value);

function scored(score: number, badges: (string | false)[]): Scored {
  return {
    score: twoDigits(Math.min(100, score)),
    reason_badges: badges.filter((badge) => badge !== false),
  };
}

/** A badge that names others whom a rule would affect. */
const caveat = (network: SharedNetwork | null) => network !== null && `shared_network:${network}`;

export function scoreAddress(facts: {
  readonly alertTypes: readonly AddressAlertType[];
  readonly isCritical: boolean;
  readonly spoofed: number;
  /** It made many probes, with or without an alert. */
  readonly isScanner: boolean;
  readonly requests: number;
  readonly status4xx: number;
  readonly network: SharedNetwork | null;
}): Scored {
  const { alertTypes, isCritical, spoofed, isScanner, requests, status4xx, network } = facts;
  const reasons = new Set<AddressAlertType>([
    ...alertTypes,
    ...(spoofed > 0 ? ['fake_crawler' as const] : []),
    ...(isScanner ? ['hacking_probe' as const] : []),
  ]);
  const sum = [...reasons].reduce((total, type) => total + points[type], isCritical ? 10 : 0);
  return scored((sum + 5 * powers(requests)) / (network === null ? 1 : 2), [
    ...[...reasons].sort((a, b) => points[b] - points[a]),
    isCritical && 'critical',
    requests > 0 && status4xx >= MOSTLY * requests && 'mostly_errors',
    caveat(network),
  ]);
}

export function scoreNotFound(facts: {
  readonly people: number;
  readonly search: number;
  readonly ai: number;
  readonly hits: number;
  /** Requests answered 2xx or 3xx in the window. */
  readonly served: number;
  /** Only scanners for vulnerabilities request it, with any user agent. */
  readonly isProbed: boolean;
}): Scored {
  const { search, hits, served, isProbed } = facts;
  const people = isProbed ? 0 : facts.people;
  const ai = isProbed ? 0 : facts.ai;
  const others = Math.max(0, hits - people - search - ai);
  return scored(20 * powers(people + 3 * search + ai + others / 10), [
    people > 0 && 'people',
    search > 0 && 'search_crawlers',
    ai > 0 && 'ai_bots',
    isProbed && 'probe',
    !isProbed && people + search + ai === 0 && 'other_bots_only',
    served > 0 && 'also_served',
  ]);
}

export function scoreUnverified(facts: {
  readonly requests: number;
  readonly status4xx: number;
  readonly isSearchCrawler: boolean;
  readonly alerted: boolean;
  readonly network: SharedNetwork | null;
}): Scored {
  const { requests, status4xx, isSearchCrawler, alerted, network } = facts;
  const sum = 20 * powers(requests) + (isSearchCrawler ? 20 : 0);
  return scored(sum / (network === null ? 1 : 2), [
    'failed_verification',
    isSearchCrawler && 'claims_search_crawler',
    alerted && 'alerted',
    requests > 0 && status4xx >= MOSTLY * requests && 'mostly_errors',
    caveat(network),
  ]);
}

export interface TimedPath {
  readonly requests: number;
  readonly timed_requests: number;
  readonly time_taken_ms: number;
}

/** Whether a path's requests, of a window or a day, are slow. */
export function isSlow({ timed_requests, time_taken_ms }: Omit<TimedPath, 'requests'>): boolean {
  return timed_requests >= LEAST_TIMED && time_taken_ms >= SLOW_MS * timed_requests;
}

export function scoreSlow(
  facts: TimedPath & {
    readonly people: number;
    /** Whether search crawlers fetched it. */
    readonly search: boolean;
    readonly status5xx: number;
    readonly bytes_sent: number;
  },
): Scored {
  const { requests, timed_requests, time_taken_ms, people, search, status5xx, bytes_sent } = facts;
  const lostSeconds = Math.max(0, time_taken_ms - SLOW_MS * timed_requests) / 1_000;
  const isLarge = bytes_sent > LARGE_BYTES * requests;
  return scored((20 * powers(lostSeconds)) / (isLarge ? 2 : 1), [
    people > 0 && 'people',
    search && 'search_crawlers',
    status5xx > 0 && 'server_errors',
    isLarge && 'large_responses',
  ]);
}

/** Highest score first, then by key. */
export function ranked<Item extends { readonly score: number; readonly key: string }>(
  items: readonly Item[],
): Item[] {
  return items.toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
