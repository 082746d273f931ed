import { readFileSync } from 'node:fs';
import { findIpv4, findIpv6 } from '../crawlers/address-ranges.js';
import { type Address, parseAddress } from '../requests/address.js';

/** Networks by address, from CSV files of sorted ranges: `first,last,number,"name"`. */

export interface Network {
  readonly asn: number;
  readonly name: string;
}

export interface AsnTable {
  /** Null if no network announces the address. */
  networkOf(address: Address): Network | null;
  /** '' for an unknown number. */
  nameOf(asn: number): string;
}

interface Ranges {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly asns: Uint32Array;
}

/** Data of an {@link AsnTable}: 9 MB of ranges and some 10 MB of names. */
export interface Networks {
  readonly ipv4: Ranges;
  readonly ipv6: Ranges;
  readonly names: ReadonlyMap<number, string>;
}

const COMMA = 44;
const NEWLINE = 10;
const ZERO = 48;

/**
 * Reads both files, 30 MB of CSV. Parses numbers from the bytes: a string per field takes two to three times the CPU.
 * @param ipv4File addresses as decimal numbers
 * @param ipv6File addresses as text
 * @throws Error if ranges do not ascend, since binary search needs order
 */
export function readNetworks(ipv4File: string, ipv6File: string): Networks {
  const names = new Map<number, string>();
  const ipv4 = readRanges(ipv4File, 1, names, (bytes, from, to, into, at) => {
    into[at] = readNumber(bytes, from, to);
  });
  const ipv6 = readRanges(ipv6File, 4, names, (bytes, from, to, into, at) => {
    const text = bytes.toString('latin1', from, to);
    const address = parseAddress(text);
    if (!(address instanceof Uint32Array)) throw new Error(`${ipv6File}: not an IPv6 address: ${text}`);
    into.set(address, at);
  });
  return { ipv4, ipv6, names };
}

export function asnTableOf({ ipv4, ipv6, names }: Networks): AsnTable {
  const network = (asn: number | undefined): Network | null =>
    asn === undefined ? null : { asn, name: names.get(asn) ?? '' };
  return {
    networkOf(address) {
      if (address === null) return null;
      return typeof address === 'number'
        ? network(ipv4.asns[findIpv4(ipv4, address)])
        : network(ipv6.asns[findIpv6(ipv6, address)]);
    },
    nameOf: (asn) => names.get(asn) ?? '',
  };
}

/** @param words 32-bit words of an address */
function readRanges(
  file: string,
  words: 1 | 4,
  names: Map<number, string>,
  readInto: (bytes: Buffer, from: number, to: number, into: Uint32Array, at: number) => void,
): Ranges {
  const bytes = readFileSync(file);
  const count = countLines(bytes);
  const starts = new Uint32Array(count * words);
  const ends = new Uint32Array(count * words);
  const asns = new Uint32Array(count);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const first = endOf(bytes, at, COMMA);
    const second = endOf(bytes, first + 1, COMMA);
    const third = endOf(bytes, second + 1, COMMA);
    const end = endOf(bytes, third + 1, NEWLINE);
    readInto(bytes, at, first, starts, index * words);
    readInto(bytes, first + 1, second, ends, index * words);
    const asn = readNumber(bytes, second + 1, third);
    asns[index] = asn;
    if (!names.has(asn)) names.set(asn, unquote(bytes.toString('utf8', third + 1, end)));
    at = end + 1;
  }
  assertAscending(file, starts, words);
  return { starts, ends, asns };
}

/** Index of the next such byte, or the end. Fields are short: a native call for each costs more than the loop. */
function endOf(bytes: Buffer, from: number, byte: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== byte) at += 1;
  return at;
}

/** @throws Error if it has other characters than digits. */
function readNumber(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) throw new Error(`not a number: ${bytes.toString('latin1', from, to)}`);
    value = value * 10 + digit;
  }
  return value;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === NEWLINE) lines += 1;
  return bytes.at(-1) === NEWLINE || bytes.length === 0 ? lines : lines + 1;
}

function assertAscending(file: string, starts: Uint32Array, words: number): void {
  for (let at = words; at < starts.length; at += words) {
    let word = 0;
    while (word < words - 1 && starts[at + word] === starts[at + word - words]) word += 1;
    if ((starts[at + word] as number) <= (starts[at + word - words] as number)) {
      throw new Error(`${file}: ranges do not ascend at line ${at / words + 1}`);
    }
  }
}

function unquote(field: string): string {
  const text = field.trim();
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
}
