/** What single bytes of a plain line may be. */

export const LINE_FEED = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const HYPHEN = 45;
export const DIGIT_0 = 48;
const BACKSLASH = 92;
const FIRST_NOT_ASCII = 128;

/** In a quoted text: ASCII without quotes, escapes and control characters. */
export function isQuotable(byte: number): boolean {
  return byte >= SPACE && byte < FIRST_NOT_ASCII && byte !== QUOTE && byte !== BACKSLASH;
}

export const isWordEnd = (byte: number): boolean => byte === SPACE || byte === LINE_FEED;

/** Two digits as a number; -1 where they are none. */
export function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - DIGIT_0;
  const ones = bytes[at + 1]! - DIGIT_0;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

/** Three digits as a number; -1 where they are none. */
export function threeDigits(bytes: Uint8Array, at: number): number {
  const ones = bytes[at + 2]! - DIGIT_0;
  const tens = twoDigits(bytes, at);
  return tens !== -1 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

export function isEqual(bytes: Uint8Array, from: number, to: number, other: Uint8Array): boolean {
  if (to - from !== other.length) return false;
  for (let at = 0; at < other.length; at += 1) if (bytes[from + at] !== other[at]) return false;
  return true;
}
