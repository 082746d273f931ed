import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Reader } from 'mmdb-lib';
import type { Place } from './place-table.js';

// `require`, because loaders treat the default export of a CommonJS module differently.
const { default: Decoder } = createRequire(import.meta.url)('mmdb-lib/lib/decoder.js') as {
  default: new (
    bytes: Buffer,
    recordsAt: number,
    cache: Map<number, unknown>,
  ) => { decode(at: number): { value: unknown } };
};

/** A record of DB-IP's cities, flatter than MaxMind's. */
interface CityRecord {
  readonly country_code?: string;
  readonly state1?: string;
  readonly city?: string;
}

/**
 * Receives one network. `start` is reused for the next one.
 * @param start first address, in 32-bit words, most significant first
 * @param bits of the prefix
 * @param place its number, from {@link NumberOf}
 */
export type OnNetwork = (start: Uint32Array, bits: number, place: number) => void;

/** Numbers each place. */
export type NumberOf = (place: Place | null) => number;

/** Bytes between the tree and the records. */
const SEPARATOR_BYTES = 16;

/**
 * Reads a city file in MaxMind's format (MaxMind DB File Format Specification 2.0): a binary tree of address bits, and
 * records. Calls `onNetwork` for each of its 6 to 8 million networks, in address order.
 * @param words of an address: 1 for an IPv4 file, 4 for an IPv6 file
 * @throws Error if the file has another format
 */
export function eachNetwork(file: string, words: 1 | 4, numberOf: NumberOf, onNetwork: OnNetwork): void {
  const bytes = readFileSync(file);
  const { nodeCount, recordSize, searchTreeSize } = new Reader(bytes).metadata;
  const childOf = childReader(bytes, recordSize);
  // Caches texts, which most records share.
  const records = new Decoder(bytes, searchTreeSize + SEPARATOR_BYTES, new Map());
  const start = new Uint32Array(words);
  /** Many networks share a record. The node count means no record. */
  const numbers = new Map([[nodeCount, numberOf(null)]]);

  function numberAt(record: number): number {
    const known = numbers.get(record);
    if (known !== undefined) return known;
    const number = numberOf(placeOf(records.decode(record - nodeCount + searchTreeSize).value));
    numbers.set(record, number);
    return number;
  }

  /** Recursion depth: the bits of an address. */
  function walk(node: number, depth: number): void {
    const word = depth >>> 5;
    const bit = 0x8000_0000 >>> (depth & 31);
    for (let side = 0; side < 2; side += 1) {
      if (side === 1) start[word] = (start[word] as number) | bit;
      const child = childOf(node, side);
      if (child < nodeCount) walk(child, depth + 1);
      else onNetwork(start, depth + 1, numberAt(child));
    }
    start[word] = (start[word] as number) & ~bit;
  }

  walk(0, 0);
}

/**
 * Exported for tests. A node is two numbers of `recordSize` bits. A number below the node count is a node, the node
 * count itself is nothing, a larger number is a record.
 */
export function childReader(bytes: Buffer, recordSize: number): (node: number, side: number) => number {
  if (recordSize === 24) return (node, side) => uint24(bytes, node * 6 + side * 3);
  if (recordSize === 32) return (node, side) => bytes.readUInt32BE(node * 8 + side * 4);
  if (recordSize !== 28) throw new Error(`the city file has nodes of ${recordSize} bits`);
  return (node, side) => {
    const at = node * 7;
    const shared = bytes[at + 3] as number;
    return side === 0
      ? ((shared >>> 4) << 24) | uint24(bytes, at)
      : ((shared & 15) << 24) | uint24(bytes, at + 4);
  };
}

/** `readUIntBE` checks its arguments, which took a third of the traversal. */
function uint24(bytes: Buffer, at: number): number {
  return ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
}

/** Exported for tests. @param response a decoded record */
export function placeOf(response: unknown): Place | null {
  const record = response as CityRecord | null;
  if (record === null) return null;
  const country = record.country_code ?? '';
  const place = {
    country: /^[A-Z]{2}$/.test(country) ? country : '',
    region: record.state1 ?? '',
    // "Berlin (Mitte)": the district would split a city into many.
    city: (record.city ?? '').replace(/ \(.*$/, ''),
  };
  return place.country + place.region + place.city === '' ? null : place;
}
