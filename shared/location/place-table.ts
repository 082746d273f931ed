import { lastAtMost, lastIpv6AtMost } from '../crawlers/address-ranges.js';
import type { Address } from '../requests/address.js';

/**
 * Places by address in typed arrays. The two files of cities are 134 MB, of which trees of single bits are most. Here a range of
 * addresses that have one place takes 5 bytes of IPv4 and 7 of IPv6, and each place stands once.
 *
 * A range ends where the next begins. Its first address is cut in two: ranges of one `head` stand together, and are told apart by the
 * `tail`. IPv4 is cut after 16 bits; of IPv6 the first 64 bits are cut after 32. The few networks of IPv6 that are smaller than
 * that are kept apart, whole.
 */
export interface PlaceTable {
  readonly ipv4: PlaceRanges;
  readonly ipv6: PlaceRanges;
  readonly small: SmallRanges;
  /** Texts of the places by their numbers, in UTF-8: `country TAB region TAB city`. Number 0 is no place. */
  readonly texts: Uint8Array;
  /** Where each of them ends. */
  readonly textEnds: Uint32Array;
}

export interface PlaceRanges {
  /** Ascending, each once. The first is 0. */
  readonly heads: Uint32Array;
  /** Index of the first range of each head; one more, the count of ranges. */
  readonly firsts: Uint32Array;
  /** By range, ascending within a head. */
  readonly tails: Uint16Array | Uint32Array;
  /** Numbers of places by range, of 24 bits: the lower 16, and the upper 8. {@link SEVERAL}: see {@link SmallRanges}. */
  readonly placesLow: Uint16Array;
  readonly placesHigh: Uint8Array;
}

/** Of networks of 64 bits that have several places. */
export interface SmallRanges {
  /** First addresses, four words each, ascending. */
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
}

export interface Place {
  /** ISO 3166-1 alpha-2, upper case; '' unknown. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
}

/** In the place of a number: this network has several, see {@link SmallRanges}. */
export const SEVERAL = 0xff_ffff;

/** Null where the table has none, and for null, which is no address. */
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
  // Before the first range of its head an address is in the last one of the head before.
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
