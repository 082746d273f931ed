import { readFileSync } from 'node:fs';
import { type CityResponse, Reader } from 'maxmind';
import type { Place } from './place-table.js';

/** A record of DB-IP's cities, flatter than MaxMind's own. */
interface CityRecord {
  readonly country_code?: string;
  readonly state1?: string;
  readonly city?: string;
}

/**
 * Takes one network. Its array is used again for the next one.
 * @param start first address, in 32-bit words, most significant first
 * @param bits of the prefix
 */
export type OnNetwork = (start: Uint32Array, bits: number, place: Place | null) => void;

/**
 * Reads a file of cities in MaxMind's format (MaxMind DB File Format Specification 2.0), a binary tree of address bits and records. Calls
 * `onNetwork` for each network of the file, in the order of their addresses: 6 to 8 million.
 * @param words of an address: 1 for a file of IPv4, 4 for one of IPv6
 * @throws Error where the file is of another format
 */
export function eachNetwork(file: string, words: 1 | 4, onNetwork: OnNetwork): void {
  const bytes = readFileSync(file);
  const reader = new Reader<CityResponse>(bytes);
  const { nodeCount, recordSize } = reader.metadata;
  const childOf = childReader(bytes, recordSize);
  const start = new Uint32Array(words);
  /** Many networks have one record: it is decoded for the first of them. */
  const places = new Map<number, Place | null>();

  function placeAt(record: number): Place | null {
    const known = places.get(record);
    if (known !== undefined) return known;
    const place = placeOf(reader.get(textOf(start)));
    places.set(record, place);
    return place;
  }

  /** Calls itself as deep as an address has bits. */
  function walk(node: number, depth: number): void {
    const word = depth >>> 5;
    const bit = 0x8000_0000 >>> (depth & 31);
    for (let side = 0; side < 2; side += 1) {
      if (side === 1) start[word] = (start[word] as number) | bit;
      const child = childOf(node, side);
      if (child < nodeCount) walk(child, depth + 1);
      else onNetwork(start, depth + 1, placeAt(child));
    }
    start[word] = (start[word] as number) & ~bit;
  }

  walk(0, 0);
}

/** Exported for tests. A node is two numbers of `recordSize` bits: below the count of nodes a node, the count itself nothing, above it a record. */
export function childReader(bytes: Buffer, recordSize: number): (node: number, side: number) => number {
  if (recordSize === 24) return (node, side) => bytes.readUIntBE(node * 6 + side * 3, 3);
  if (recordSize === 32) return (node, side) => bytes.readUInt32BE(node * 8 + side * 4);
  if (recordSize !== 28) throw new Error(`a city file has nodes of ${recordSize} bits`);
  return (node, side) => {
    const at = node * 7;
    const shared = bytes[at + 3] as number;
    return side === 0
      ? ((shared >>> 4) << 24) | bytes.readUIntBE(at, 3)
      : ((shared & 15) << 24) | bytes.readUIntBE(at + 4, 3);
  };
}

/** An address as the reader takes it. */
function textOf(words: Uint32Array): string {
  const halves = [...words].flatMap((word) => [word >>> 16, word & 0xffff]);
  if (words.length === 4) return halves.map((half) => half.toString(16)).join(':');
  return halves.flatMap((half) => [half >>> 8, half & 255]).join('.');
}

/** Exported for tests. @param response a record as the reader decodes it */
export function placeOf(response: unknown): Place | null {
  const record = response as CityRecord | null;
  if (record === null) return null;
  const country = record.country_code ?? '';
  const place = {
    country: /^[A-Z]{2}$/.test(country) ? country : '',
    region: record.state1 ?? '',
    // "Berlin (Mitte)": the quarter would split a city into many.
    city: (record.city ?? '').replace(/ \(.*$/, ''),
  };
  return place.country + place.region + place.city === '' ? null : place;
}
