import { readFileSync } from 'node:fs';
import { findIpv4, findIpv6 } from '../crawlers/address-ranges.js';
import { type Address, parseAddress } from '../requests/address.js';

/** Networks by address, from CSV files of sorted ranges: `first,last,number,"name"`. */

export interface Network {
  readonly asn: number;
  readonly name: string;
}

export interface AsnTable {
  /** Null where no network announces the address. */
  networkOf(address: Address): Network | null;
  /** '' where the number is unknown. */
  nameOf(asn: number): string;
}

interface Ranges {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly asns: Uint32Array;
}

const COMMA = 44;
const NEWLINE = 10;

/**
 * Loads both files into typed arrays: 9 MB, and some 10 MB of names, from 30 MB of CSV in 0.4 s (measured).
 * @param ipv4File its addresses as decimal numbers
 * @param ipv6File its addresses as text
 * @throws Error where ranges do not ascend: binary search would answer wrongly
 */
export function loadAsnTable(ipv4File: string, ipv6File: string): AsnTable {
  const names = new Map<number, string>();
  const ipv4 = readRanges(ipv4File, 1, names, (text, into, at) => {
    into[at] = Number(text);
  });
  const ipv6 = readRanges(ipv6File, 4, names, (text, into, at) => {
    const address = parseAddress(text);
    if (!(address instanceof Uint32Array)) throw new Error(`${ipv6File}: not an IPv6 address: ${text}`);
    into.set(address, at);
  });
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

/** Reads one file; `words` is the count of 32-bit words per address. */
function readRanges(
  file: string,
  words: 1 | 4,
  names: Map<number, string>,
  readInto: (text: string, into: Uint32Array, at: number) => void,
): Ranges {
  const bytes = readFileSync(file);
  const count = countLines(bytes);
  const starts = new Uint32Array(count * words);
  const ends = new Uint32Array(count * words);
  const asns = new Uint32Array(count);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const first = bytes.indexOf(COMMA, at);
    const second = bytes.indexOf(COMMA, first + 1);
    const third = bytes.indexOf(COMMA, second + 1);
    const newline = bytes.indexOf(NEWLINE, third);
    const end = newline < 0 ? bytes.length : newline;
    readInto(bytes.toString('latin1', at, first), starts, index * words);
    readInto(bytes.toString('latin1', first + 1, second), ends, index * words);
    const asn = Number(bytes.toString('latin1', second + 1, third));
    asns[index] = asn;
    if (!names.has(asn)) names.set(asn, unquote(bytes.toString('utf8', third + 1, end)));
    at = end + 1;
  }
  assertAscending(file, starts, words);
  return { starts, ends, asns };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
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
