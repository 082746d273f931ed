import { parseAddress } from '../requests/address.js';
import { type AddressRanges, containsAddress } from './address-ranges.js';
import { type AtMoment, byLists, type RangeHistory, rangesOf } from './dated-ranges.js';
import type { FamilyEntry, Feed } from './table-schema.js';

/**
 * Position of an address relative to the operator's published ranges. `unsure`: outside a list that is too old to
 * decide, since operators add addresses (`fresh_days` of a feed).
 */
export type RangeFinding = 'inside' | 'outside' | 'unsure';

/** The finding at a time (milliseconds since the epoch); null for a family without ranges. */
export type VerifyByRanges = (family: string, clientIp: string, at: number) => RangeFinding | null;

interface Published {
  readonly ranges: AddressRanges;
  readonly areFresh: boolean;
}

/**
 * Builds the check from all snapshots: a request is classified by the list of its day. All feeds of a family are
 * combined.
 * @throws Error if a family's feed is unknown or has no snapshot: all its crawlers would be classified as spoofed.
 */
export function createRangeVerifier(
  families: readonly FamilyEntry[],
  feeds: readonly Feed[],
  history: RangeHistory,
): VerifyByRanges {
  const feedsByName = new Map(feeds.map((feed) => [feed.name, feed]));
  const publishedAt = new Map<string, AtMoment<Published>>();
  for (const family of families) {
    if (family.feeds === undefined) continue;
    const own = family.feeds.map((name) => {
      const feed = feedsByName.get(name);
      if (feed === undefined) throw new Error(`${family.name} names an unknown feed ${name}`);
      return feed;
    });
    publishedAt.set(
      family.name,
      byLists(own, history, (current) => ({
        ranges: rangesOf(current),
        areFresh: current.every(({ age }) => age === 'fresh'),
      })),
    );
  }
  return (family, clientIp, at) => {
    const published = publishedAt.get(family)?.(at);
    if (published === undefined) return null;
    if (containsAddress(published.ranges, parseAddress(clientIp))) return 'inside';
    return published.areFresh ? 'outside' : 'unsure';
  };
}
