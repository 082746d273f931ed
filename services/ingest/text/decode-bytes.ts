import { escapesOf } from '../../../shared/urls/normal-spelling.js';

/**
 * Decodes bytes that are mostly UTF-8. An invalid byte becomes a lone surrogate, U+DC80 to U+DCFF, so that a target
 * keeps its value (`withEscapedBytes`). In every other field the surrogate becomes U+FFFD when it is written as
 * UTF-8.
 */
export function decodeBytes(bytes: Buffer, from = 0, to = bytes.length): string {
  const text = bytes.toString('utf8', from, to);
  return text.includes('\ufffd') ? decodeOneByOne(bytes.subarray(from, to)) : text;
}

const HALF = 0xdc00;
const NOT_UTF8 = /[\udc80-\udcff]/u;
const EACH_NOT_UTF8 = /[\udc80-\udcff]/gu;

/** The request target with percent codes for bytes that are not UTF-8: `/caf%E9`. */
export function withEscapedBytes(target: string): string {
  if (!NOT_UTF8.test(target)) return target;
  return target.replace(EACH_NOT_UTF8, (half) => escapesOf(Buffer.of(half.charCodeAt(0) - HALF)));
}

const RUNS_NOT_UTF8 = /[\udc80-\udcff]{2,}/gu;

/** Joins a character that was cut between two decoded parts. */
export function decodeHalves(text: string): string {
  if (!NOT_UTF8.test(text)) return text;
  return text.replace(RUNS_NOT_UTF8, (run) =>
    decodeBytes(Buffer.from(Uint8Array.from(run, (half) => half.charCodeAt(0) - HALF))),
  );
}

function decodeOneByOne(bytes: Buffer): string {
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = sizeAt(bytes, at);
    if (size === 0) units[length++] = HALF + bytes[at++]!;
    else {
      const point = pointAt(bytes, at, size);
      if (point >= 0x10000) units[length++] = 0xd800 + ((point - 0x10000) >> 10);
      units[length++] = point >= 0x10000 ? HALF + ((point - 0x10000) & 0x3ff) : point;
      at += size;
    }
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

/** Bytes of the character that begins here; 0 if none does (Unicode, table 3-7). */
function sizeAt(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const size = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : 4;
  if (first < 0xc2 || first > 0xf4) return 0;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < least || second > most) return 0;
  for (let next = at + 2; next < at + size; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return size;
}

function pointAt(bytes: Buffer, at: number, size: number): number {
  let point = size === 1 ? bytes[at]! : bytes[at]! & (0x7f >> size);
  for (let next = at + 1; next < at + size; next += 1) point = (point << 6) | (bytes[next]! & 0x3f);
  return point;
}
