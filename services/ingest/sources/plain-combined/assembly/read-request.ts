import { PROTOCOLS } from './memory';
import { byteAt, digitAt, DOT, QUOTE, SPACE } from './read-bytes';
import { textHash, toSpace } from './read-text';

/** Reads `METHOD /target HTTP/1.1" `: a method in capital letters, a target without spaces. */

const SLASH: i32 = 47;
const LETTER_A: i32 = 65;
const LETTER_Z: i32 = 90;
const LONGEST_METHOD: i32 = 32;
/** `HTTP`, little-endian. */
const HTTP: i32 = 0x50545448;

export let methodTo: i32 = 0;
export let targetTo: i32 = 0;
export let targetHash: i32 = 0;
/** What is kept of the protocol, in {@link PROTOCOLS}. */
export let protocolFrom: i32 = 0;
export let protocolTo: i32 = 0;

/** The versions that plain lines have (target.ts). */
export function writeProtocols(): void {
  writeProtocol(0, 0x2f50545448, 0x302e31); // HTTP/1.0
  writeProtocol(1, 0x2f50545448, 0x312e31); // HTTP/1.1
  writeProtocol(2, 0x2f50545448, 0x32); // HTTP/2
  writeProtocol(3, 0x2f50545448, 0x33); // HTTP/3
}

/** Two texts one behind the other, both little-endian, the first of five bytes. */
function writeProtocol(index: i32, name: i64, version: i64): void {
  store<i64>(PROTOCOLS + index * 8, name | (version << 40));
}

/** @param longestTarget bytes. @returns index behind; -1 where no such request line stands there. */
export function readRequest(from: i32, longestTarget: i32): i32 {
  let at = from;
  while (byteAt(at) >= LETTER_A && byteAt(at) <= LETTER_Z && at - from < LONGEST_METHOD) at++;
  if (at == from || byteAt(at) != SPACE || byteAt(at + 1) != SLASH) return -1;
  methodTo = at;
  targetTo = toSpace(at + 1);
  targetHash = textHash;
  if (targetTo == -1 || targetTo - methodTo - 1 > longestTarget) return -1;
  return readProtocol(targetTo + 1);
}

/** `HTTP/1.1" `. @returns index behind it; -1. */
@inline
function readProtocol(from: i32): i32 {
  if (load<i32>(from) != HTTP || byteAt(from + 4) != SLASH || byteAt(from + 6) != DOT) return -1;
  if (byteAt(from + 8) != QUOTE || byteAt(from + 9) != SPACE) return -1;
  const major = <i32>digitAt(from + 5);
  const minor = <i32>digitAt(from + 7);
  const isKnown = major == 1 ? minor == 0 || minor == 1 : minor == 0 && (major == 2 || major == 3);
  if (!isKnown) return -1;
  protocolFrom = PROTOCOLS + (major == 1 ? minor : major) * 8;
  protocolTo = protocolFrom + (major == 1 ? 8 : 6);
  return from + 10;
}
