import type { Address } from '../requests/address.js';

/** Sorted, disjoint ranges of addresses in typed arrays: 8 bytes an IPv4 range, 32 an IPv6 range. */
export interface AddressRanges {
  readonly ipv4: { readonly starts: Uint32Array; readonly ends: Uint32Array };
  /** Four words an address. */
  readonly ipv6: { readonly starts: Uint32Array; readonly ends: Uint32Array };
}

/** Index of the IPv4 range that holds the address, -1 for none. */
export function findIpv4({ starts, ends }: AddressRanges['ipv4'], address: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) > address) high = middle - 1;
    else low = middle + 1;
  }
  return high >= 0 && (ends[high] as number) >= address ? high : -1;
}

/** Index of the IPv6 range that holds the address, -1 for none. */
export function findIpv6({ starts, ends }: AddressRanges['ipv6'], address: Uint32Array): number {
  let low = 0;
  let high = starts.length / 4 - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (compareAt(starts, middle, address) > 0) high = middle - 1;
    else low = middle + 1;
  }
  return high >= 0 && compareAt(ends, high, address) >= 0 ? high : -1;
}

/** Whether one of the ranges holds the address; none holds null, which is no address. */
export function holds(ranges: AddressRanges, address: Address): boolean {
  if (address === null) return false;
  return typeof address === 'number'
    ? findIpv4(ranges.ipv4, address) >= 0
    : findIpv6(ranges.ipv6, address) >= 0;
}

function compareAt(words: Uint32Array, index: number, address: Uint32Array): number {
  const base = index * 4;
  for (let i = 0; i < 4; i += 1) {
    const difference = (words[base + i] as number) - (address[i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
