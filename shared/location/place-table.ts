import { lastAtMost, lastIpv6AtMost } from '../crawlers/address-ranges.js';
import type { Address } from '../requests/address.js';

/**
 * Places by address in typed arrays. The two city files are 134 MB, mostly trees of single bits. Here a range of
 * addresses with one place takes 5 bytes for IPv4 and 7 for IPv6, and each place is stored once.
 *
 * A range ends where the next begins. Its first address is split in two: ranges with the same `head` are adjacent, and
 * the `tail` distinguishes them. IPv4 is split after 16 bits; the first 64 bits of IPv6 after 32. The few IPv6 networks
 * that are smaller than 64 bits are stored separately with their whole address.
 */
export interface PlaceTable {
  readonly ipv4: PlaceRanges;
  readonly ipv6: PlaceRanges;
  readonly small: SmallRanges;
  /** Texts of the places by number, in UTF-8: `country TAB region TAB city`. Number 0 is no place. */
  readonly texts: Uint8Array;
  /** End of each text. */
  readonly textEnds: Uint32Array;
}

export interface PlaceRanges {
  /** Ascending and unique. The first is 0. */
  readonly heads: Uint32Array;
  /** Index of the first range of each head; the last entry is the number of ranges. */
  readonly firsts: Uint32Array;
  /** One per range, ascending within a head. */
  readonly tails: Uint16Array | Uint32Array;
  /** 24-bit place numbers by range: the lower 16 bits and the upper 8. {@link SEVERAL}: see {@link SmallRanges}. */
  readonly placesLow: Uint16Array;
  readonly placesHigh: Uint8Array;
}

/** Ranges within 64-bit networks that have several places. */
export interface SmallRanges {
  /** First addresses, four words each, ascending. */
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
}

export interface Place {
  /** ISO 3166-1 alpha-2, upper case; '': unknown. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
}

/** Instead of a place number: the network has several places, see {@link SmallRanges}. */
export const SEVERAL = 0xff_ffff;

/** Null if the table has no place for the address, and for null, an invalid address. */
export function findPlaceIn(table: PlaceTable, address: Address): Place | null {
  return address === null ? null : placeNumbered(table, numberOf(table, address));
}

function numberOf({ ipv4, ipv6, small }: PlaceTable, address: number | Uint32Array): number {
  if (typeof address === 'number') return lookUp(ipv4, address >>> 16, address & 0xffff);
  const number = lookUp(ipv6, address[0] as number, address[1] as number);
  return number === SEVERAL ? (small.places[lastIpv6AtMost(small.starts, address)] ?? 0) : number;
}

function lookUp(ranges: PlaceRanges, head: number, tail: number): number {
  const { heads, firsts, tails, placesLow, placesHigh } = ranges;
  const at = lastAtMost(heads, head, 0, heads.length);
  const end = firsts[at + 1] as number;
  // An address before the first range of its head belongs to the last range of the previous head.
  const range = heads[at] === head ? lastAtMost(tails, tail, firsts[at] as number, end) : end - 1;
  return ((placesHigh[range] as number) << 16) | (placesLow[range] as number);
}

function placeNumbered({ texts, textEnds }: PlaceTable, number: number): Place | null {
  if (number === 0) return null;
  const text = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength).toString(
    'utf8',
    textEnds[number - 1],
    textEnds[number],
  );
  const [country = '', region = '', city = ''] = text.split('\t');
  return { country, region, city };
}
