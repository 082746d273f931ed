import { parseAddress } from '../requests/address.js';
import { type AddressRanges, holds } from './address-ranges.js';
import { type AtMoment, byLists, type RangeHistory, rangesOf } from './dated-ranges.js';
import type { FamilyEntry } from './table-schema.js';

/**
 * Whether an address lay in the ranges that a crawler family's operator published at a moment (milliseconds since the epoch);
 * null for a family without ranges.
 */
export type VerifyByRanges = (family: string, clientIp: string, at: number) => boolean | null;

/**
 * Builds the check from all snapshots that are kept: a request is judged by the list of its day. All feeds of a family count together.
 * @throws Error where a family names a feed that has no snapshot: its crawlers would all seem spoofed.
 */
export function createRangeVerifier(families: readonly FamilyEntry[], history: RangeHistory): VerifyByRanges {
  const rangesAt = new Map<string, AtMoment<AddressRanges>>();
  for (const { name, feeds } of families) {
    if (feeds !== undefined) rangesAt.set(name, byLists(feeds, history, rangesOf));
  }
  return (family, clientIp, at) => {
    const ranges = rangesAt.get(family);
    return ranges === undefined ? null : holds(ranges(at), parseAddress(clientIp));
  };
}
