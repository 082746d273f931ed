import { parseAddress } from '../requests/address.js';
import { type AddressRanges, holds } from './address-ranges.js';
import { parsePrefix, rangesOfPrefixes } from './prefixes.js';
import type { FamilyEntry, RangeSnapshot } from './table-schema.js';

/**
 * Whether an address lies in the ranges that a crawler family's operator publishes; null for a family without
 * ranges.
 */
export type VerifyByRanges = (family: string, clientIp: string) => boolean | null;

/**
 * Builds the check from the newest snapshots. All feeds of a family count together.
 * @throws Error where a family names a feed that has no snapshot: its crawlers would all seem spoofed.
 */
export function createRangeVerifier(
  families: readonly FamilyEntry[],
  snapshots: ReadonlyMap<string, RangeSnapshot>,
): VerifyByRanges {
  const rangesOf = new Map<string, AddressRanges>();
  for (const { name, feeds } of families) {
    if (feeds === undefined) continue;
    const prefixes = feeds.flatMap((feed) => {
      const snapshot = snapshots.get(feed);
      if (snapshot === undefined) throw new Error(`${name}: no snapshot of the feed ${feed}`);
      return snapshot.prefixes.map(parsePrefix);
    });
    rangesOf.set(name, rangesOfPrefixes(prefixes));
  }
  return (family, clientIp) => {
    const ranges = rangesOf.get(family);
    return ranges === undefined ? null : holds(ranges, parseAddress(clientIp));
  };
}
