import { eachNetwork, type NumberOf, type OnNetwork } from './city-file.js';
import { type Place, type PlaceRanges, type PlaceTable, SEVERAL } from './place-table.js';

/**
 * Builds the table from two city files. Takes some four seconds and 360 MB, without yielding.
 * @throws Error if they cannot be read or have another format
 */
export function buildPlaceTable(ipv4File: string, ipv6File: string): PlaceTable {
  const { numberOf, onIpv4, onIpv6, finish } = createPlaceTableBuilder();
  eachNetwork(ipv4File, 1, numberOf, onIpv4);
  eachNetwork(ipv6File, 4, numberOf, onIpv6);
  return finish();
}

export interface PlaceTableBuilder {
  /** Equal places have the same number. */
  readonly numberOf: NumberOf;
  /** IPv4 networks in address order, without gaps from the first address to the last. */
  readonly onIpv4: OnNetwork;
  /** The same for IPv6. */
  readonly onIpv6: OnNetwork;
  finish(): PlaceTable;
}

/** Merges adjacent networks of the same place. @throws Error from its functions if the places exceed 24-bit numbers */
export function createPlaceTableBuilder(): PlaceTableBuilder {
  const places = createPlaceNumbers();
  const ipv4 = createRanges();
  const ipv6 = createRanges();
  const small = { starts: [] as number[], places: [] as number[] };
  return {
    numberOf: places.numberOf,
    onIpv4(start, _, place) {
      const address = start[0] as number;
      ipv4.add(address >>> 16, address & 0xffff, place);
    },
    onIpv6(start, bits, place) {
      const first = start[0] as number;
      const second = start[1] as number;
      if (bits <= 64) {
        ipv6.add(first, second, place);
        return;
      }
      ipv6.add(first, second, SEVERAL);
      small.starts.push(...start);
      small.places.push(place);
    },
    finish: () => ({
      ipv4: ipv4.finish(Uint16Array),
      ipv6: ipv6.finish(Uint32Array),
      small: { starts: Uint32Array.from(small.starts), places: Uint32Array.from(small.places) },
      ...places.finish(),
    }),
  };
}

/** Numbers places from 1; 0: no place. */
function createPlaceNumbers() {
  const numbers = new Map<string, number>();

  function numberOf(place: Place | null): number {
    if (place === null) return 0;
    const text = [place.country, place.region, place.city]
      .map((part) => part.replaceAll('\t', ' '))
      .join('\t');
    const number = numbers.get(text) ?? numbers.size + 1;
    if (number >= SEVERAL) throw new Error('the city files have too many places');
    numbers.set(text, number);
    return number;
  }

  function finish(): Pick<PlaceTable, 'texts' | 'textEnds'> {
    const parts = [...numbers.keys()].map((text) => Buffer.from(text));
    const textEnds = new Uint32Array(parts.length + 1);
    parts.forEach((part, index) => {
      textEnds[index + 1] = (textEnds[index] as number) + part.length;
    });
    return { texts: new Uint8Array(Buffer.concat(parts)), textEnds };
  }

  return { numberOf, finish };
}

/** Merges adjacent ranges of the same place. A network with several places always starts its own range. */
function createRanges() {
  const heads = createNumbers();
  const firsts = createNumbers();
  const tails = createNumbers();
  const numbers = createNumbers();
  return {
    add(head: number, tail: number, number: number): void {
      const again = number === SEVERAL && heads.last() === head && tails.last() === tail;
      if (again || (number === numbers.last() && number !== SEVERAL)) return;
      if (heads.last() !== head) {
        heads.add(head);
        firsts.add(tails.length());
      }
      tails.add(tail);
      numbers.add(number);
    },
    finish(Tails: typeof Uint16Array | typeof Uint32Array): PlaceRanges {
      firsts.add(tails.length());
      return {
        heads: heads.all().slice(),
        firsts: firsts.all().slice(),
        tails: new Tails(tails.all()),
        placesLow: new Uint16Array(numbers.all()),
        placesHigh: new Uint8Array(numbers.all().map((number) => number >>> 16)),
      };
    },
  };
}

/** A growing array of 32-bit numbers. */
function createNumbers() {
  let room = new Uint32Array(1_024);
  let length = 0;
  return {
    add(number: number): void {
      if (length === room.length) {
        const larger = new Uint32Array(length * 2);
        larger.set(room);
        room = larger;
      }
      room[length] = number;
      length += 1;
    },
    length: (): number => length,
    last: (): number | undefined => room[length - 1],
    /** Valid until the next `add`. */
    all: (): Uint32Array => room.subarray(0, length),
  };
}
