import { parseAddress } from '../requests/address.js';
import type { AddressRanges } from './address-ranges.js';

/** Converts published prefixes (192.0.2.0/24, 2001:db8::/32, single addresses) to ranges. */

export interface Prefix {
  readonly version: 4 | 6;
  readonly length: number;
  readonly start: bigint;
  readonly end: bigint;
}

/** @throws Error with the text if it is not a prefix or has bits set beyond its length. */
export function parsePrefix(text: string): Prefix {
  const slash = text.indexOf('/');
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash));
  const version = typeof address === 'number' ? 4 : 6;
  const width = version === 4 ? 32 : 128;
  const lengthText = slash < 0 ? String(width) : text.slice(slash + 1);
  const length = /^\d{1,3}$/.test(lengthText) ? Number(lengthText) : -1;
  if (address === null || length < 0 || length > width) throw new Error(`not an address prefix: ${text}`);
  const start = typeof address === 'number' ? BigInt(address) : joinWords(address);
  const size = 1n << BigInt(width - length);
  if (start % size !== 0n) throw new Error(`address prefix with bits beyond its length: ${text}`);
  return { version, length, start, end: start + size - 1n };
}

/** Merges prefixes of both versions, overlapping or not, into ranges for binary search. */
export function rangesOfPrefixes(prefixes: readonly Prefix[]): AddressRanges {
  const ipv4 = merge(prefixes.filter(({ version }) => version === 4));
  const ipv6 = merge(prefixes.filter(({ version }) => version === 6));
  return {
    ipv4: {
      starts: Uint32Array.from(ipv4, ({ start }) => Number(start)),
      ends: Uint32Array.from(ipv4, ({ end }) => Number(end)),
    },
    ipv6: {
      starts: Uint32Array.from(ipv6.flatMap(({ start }) => splitWords(start))),
      ends: Uint32Array.from(ipv6.flatMap(({ end }) => splitWords(end))),
    },
  };
}

function merge(prefixes: readonly Prefix[]): Array<{ start: bigint; end: bigint }> {
  const sorted = [...prefixes].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const merged: Array<{ start: bigint; end: bigint }> = [];
  for (const { start, end } of sorted) {
    const last = merged.at(-1);
    if (last === undefined || start > last.end + 1n) merged.push({ start, end });
    else if (end > last.end) last.end = end;
  }
  return merged;
}

function joinWords(words: Uint32Array): bigint {
  return words.reduce((whole, word) => (whole << 32n) | BigInt(word), 0n);
}

function splitWords(address: bigint): number[] {
  return [96n, 64n, 32n, 0n].map((shift) => Number((address >> shift) & 0xffff_ffffn));
}
