import type { Address } from '../requests/address.js';

/** Sorted, disjoint ranges of addresses in typed arrays: 8 bytes an IPv4 range, 32 an IPv6 range. */
export interface AddressRanges {
  readonly ipv4: { readonly starts: Uint32Array; readonly ends: Uint32Array };
  /** Four words per address. */
  readonly ipv6: { readonly starts: Uint32Array; readonly ends: Uint32Array };
}

/** Index of the IPv4 range with the address; -1: none. */
export function findIpv4({ starts, ends }: AddressRanges['ipv4'], address: number): number {
  const index = lastAtMost(starts, address, 0, starts.length);
  return index >= 0 && (ends[index] as number) >= address ? index : -1;
}

/** Index of the IPv6 range with the address; -1: none. */
export function findIpv6({ starts, ends }: AddressRanges['ipv6'], address: Uint32Array): number {
  const index = lastIpv6AtMost(starts, address);
  return index >= 0 && compareAt(ends, index, address) >= 0 ? index : -1;
}

/**
 * Index of the last number not above `value`, among the ascending numbers from `from` to before `to`; `from - 1` if all
 * are above.
 */
export function lastAtMost(
  numbers: Uint16Array | Uint32Array,
  value: number,
  from: number,
  to: number,
): number {
  let low = from;
  let high = to - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) > value) high = middle - 1;
    else low = middle + 1;
  }
  return high;
}

/** As {@link lastAtMost} for IPv6 addresses, four words each; -1 if all are above. */
export function lastIpv6AtMost(addresses: Uint32Array, address: Uint32Array): number {
  let low = 0;
  let high = addresses.length / 4 - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (compareAt(addresses, middle, address) > 0) high = middle - 1;
    else low = middle + 1;
  }
  return high;
}

/** Whether one of the ranges contains the address; false for null, an invalid address. */
export function containsAddress(ranges: AddressRanges, address: Address): boolean {
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
