import ipaddr from 'ipaddr.js';
import { parseAddress } from '../requests/address.js';
import { type AddressRanges, containsAddress } from './address-ranges.js';
import type { RuleData } from './crawler-rules.js';
import { byLists, rangesOf } from './dated-ranges.js';
import type { Feed } from './table-schema.js';

/**
 * Other users that a block of an address would affect, as far as published ranges and autonomous systems show. Two
 * kinds must never be blocked; the others only with their caveat:
 * - `own_network`: the website's own network (private, loopback, shared address space), such as its proxy.
 * - `search_crawler`: in the published ranges of a search engine's crawlers.
 */
const sharedNetworks = [
  'own_network',
  'search_crawler',
  'ai_operator',
  'known_service',
  'search_engine',
  'cdn',
  'carrier',
  'anonymiser',
] as const;
export type SharedNetwork = (typeof sharedNetworks)[number];

/**
 * @param asn 0: unknown
 * @param at milliseconds since the epoch
 * @returns null: no known sharing
 */
export type SharedNetworkOf = (address: string, asn: number, at: number) => SharedNetwork | null;

const ownRanges = new Set([
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
  'unspecified',
]);

/**
 * By registration. Only large systems: a missing one only loses a caveat, and a person reviews each address before it
 * is blocked.
 */
const systems: readonly (readonly [SharedNetwork, readonly number[]])[] = [
  // Google, Yandex, Baidu, Naver, Seznam, Apple
  ['search_engine', [15169, 13238, 208722, 38365, 55967, 23576, 43037, 714, 6185]],
  // Cloudflare, Fastly, Akamai (with iCloud Private Relay), Imperva, Sucuri, Bunny, CDN77, Gcore, Zscaler, Netskope, Menlo
  ['cdn', [13335, 209242, 54113, 20940, 16625, 12222, 32787, 36183, 19551, 30148, 200325, 60068]],
  ['cdn', [199524, 22616, 62044, 53813, 55256]],
  // Mobile networks in which thousands share an address; Starlink
  ['carrier', [21928, 6167, 22394, 20057, 14593, 55836, 45609, 24560, 38266, 55410, 9808, 17676, 9605, 2516]],
  ['carrier', [9644, 23693, 7552, 132199, 10139, 6805, 12576, 60339, 35228, 51207, 16232, 29447, 15480]],
  ['carrier', [16135, 8359, 31133, 16345, 26599, 26615, 28403, 29465, 16637, 36994, 33771]],
  // Operators of Tor exits. Other exits are in hosting networks, which no number identifies.
  ['anonymiser', [60729, 208323, 205100, 396507, 62744, 4224, 198093]],
];

const networkOfSystem = new Map(systems.flatMap(([kind, asns]) => asns.map((asn) => [asn, kind] as const)));

/** @throws Error if a feed in use has no snapshot. */
export function createSharedNetworkOf({ table, feeds, history }: RuleData): SharedNetworkOf {
  const searchFamilies = new Set(
    table.crawlers.filter(({ category }) => category === 'search').map(({ family, name }) => family ?? name),
  );
  // Fetchers act for any user, so their addresses may be anybody's.
  searchFamilies.delete('Google Fetchers');
  const searchFeeds = new Set(
    table.families.filter(({ name }) => searchFamilies.has(name)).flatMap((family) => family.feeds ?? []),
  );
  const kinds = new Map<SharedNetwork, Feed[]>();
  for (const feed of feeds) {
    const kind = searchFeeds.has(feed.name)
      ? 'search_crawler'
      : feed.agents_only
        ? 'ai_operator'
        : 'known_service';
    kinds.set(kind, [...(kinds.get(kind) ?? []), feed]);
  }
  const rangesAt = [...kinds].map(([kind, own]) => [kind, byLists(own, history, rangesOf)] as const);
  return (address, asn, at) => {
    if (ipaddr.isValid(address) && ownRanges.has(ipaddr.process(address).range())) return 'own_network';
    const parsed = parseAddress(address);
    const inRanges = (ranges: AddressRanges) => containsAddress(ranges, parsed);
    // In the order of `sharedNetworks`: networks that must never be blocked first.
    for (const kind of sharedNetworks) {
      const found = rangesAt.find(([name]) => name === kind);
      if (found !== undefined && inRanges(found[1](at))) return kind;
    }
    return networkOfSystem.get(asn) ?? null;
  };
}
