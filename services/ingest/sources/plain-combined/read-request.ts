import type { ColumnBuilder } from '../../../../shared/requests/columns/column-builder.js';
import { QUOTE, SPACE } from './bytes.js';
import type { TextScanner } from './scan-text.js';

const SLASH = 47;
const DOT = 46;
const LETTER_A = 65;
const LETTER_Z = 90;
const HTTP = Buffer.from('HTTP/');
const LONGEST_METHOD = 32;

/** Versions as they are kept (target.ts), by the bytes of their two digits: no other bytes make the same number. */
const protocols: ReadonlyMap<number, string> = new Map([
  [versionOf(49, 48), 'HTTP/1.0'],
  [versionOf(49, 49), 'HTTP/1.1'],
  [versionOf(50, 48), 'HTTP/2'],
  [versionOf(51, 48), 'HTTP/3'],
]);

/** Reads `METHOD /target HTTP/1.1" `: a method in capital letters, a target without spaces. */
export function createPlainRequestLine(scanner: TextScanner, longestTarget: number) {
  let methodFrom = 0;
  let methodTo = 0;
  let targetTo = 0;
  let targetHash = 0;
  let protocol = '';

  /** @returns index of the space behind it; -1. */
  function readMethod(bytes: Buffer, from: number): number {
    let at = from;
    while (bytes[at]! >= LETTER_A && bytes[at]! <= LETTER_Z && at - from < LONGEST_METHOD) at += 1;
    return at > from && bytes[at] === SPACE ? at : -1;
  }

  /** @returns index of the space behind it; -1. */
  function readTarget(bytes: Buffer, from: number): number {
    const end = bytes[from] === SLASH ? scanner.toSpace(from) : -1;
    targetHash = scanner.hash();
    return end - from > longestTarget ? -1 : end;
  }

  /** `HTTP/1.1" `. @returns index behind it; -1. */
  function readProtocol(bytes: Buffer, from: number): number {
    for (let at = 0; at < HTTP.length; at += 1) if (bytes[from + at] !== HTTP[at]) return -1;
    if (bytes[from + 6] !== DOT || bytes[from + 8] !== QUOTE || bytes[from + 9] !== SPACE) return -1;
    const known = protocols.get(versionOf(bytes[from + 5]!, bytes[from + 7]!));
    if (known === undefined) return -1;
    protocol = known;
    return from + 10;
  }

  return {
    /** @returns index behind; -1 where no such request line stands there. */
    read(bytes: Buffer, from: number): number {
      methodFrom = from;
      methodTo = readMethod(bytes, from);
      if (methodTo === -1) return -1;
      targetTo = readTarget(bytes, methodTo + 1);
      return targetTo === -1 ? -1 : readProtocol(bytes, targetTo + 1);
    },
    put(bytes: Buffer, texts: ColumnBuilder['texts']): void {
      texts.method.put(methodOf(bytes, methodFrom, methodTo));
      texts.target.putBytes(scanner.view(), methodTo + 1, targetTo, targetHash);
      texts.protocol.put(protocol);
    },
    targetBytes: () => targetTo - methodTo - 1,
  };
}

/** Two bytes as one number. */
function versionOf(major: number, minor: number): number {
  return major * 256 + minor;
}

/** By far the most are GET, which needs no new string. */
function methodOf(bytes: Buffer, from: number, to: number): string {
  const isGet = to - from === 3 && bytes[from] === 71 && bytes[from + 1] === 69 && bytes[from + 2] === 84;
  return isGet ? 'GET' : bytes.toString('latin1', from, to);
}
