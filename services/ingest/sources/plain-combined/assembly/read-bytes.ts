/** What single bytes of a plain line may be, and numbers of a few of them. */

export const LINE_FEED: i32 = 10;
export const SPACE: i32 = 32;
export const QUOTE: i32 = 34;
export const HYPHEN: i32 = 45;
export const DOT: i32 = 46;
export const COLON: i32 = 58;
const DIGIT_0: i32 = 48;
const BACKSLASH: i32 = 92;
const FIRST_NOT_ASCII: i32 = 128;

@inline
export function byteAt(at: i32): i32 {
  return <i32>load<u8>(at);
}

/** In a quoted text: ASCII without quotes, escapes and control characters. */
@inline
export function isQuotable(byte: i32): bool {
  return byte >= SPACE && byte < FIRST_NOT_ASCII && byte != QUOTE && byte != BACKSLASH;
}

@inline
export function isWordEnd(byte: i32): bool {
  return byte == SPACE || byte == LINE_FEED;
}

/** Nothing, or the hyphen that servers write for a value that is not there. */
@inline
export function isAbsent(from: i32, to: i32): bool {
  return to == from || (to - from == 1 && byteAt(from) == HYPHEN);
}

/** Not 0 to 9 where the byte is no digit. */
@inline
export function digitAt(at: i32): u32 {
  return byteAt(at) - DIGIT_0;
}

/** All digits between two indexes, nine at most, as a number; -1 where they are none. */
@inline
export function wholeNumber(from: i32, to: i32): i32 {
  let number: u32 = 0;
  for (let at = from; at < to; at++) {
    const digit = digitAt(at);
    if (digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** Two digits as a number; -1 where they are none. */
@inline
export function twoDigits(at: i32): i32 {
  const tens = digitAt(at);
  const ones = digitAt(at + 1);
  return tens <= 9 && ones <= 9 ? tens * 10 + ones : -1;
}

/** Three digits as a number; -1 where they are none. */
@inline
export function threeDigits(at: i32): i32 {
  const tens = twoDigits(at);
  const ones = digitAt(at + 2);
  return tens != -1 && ones <= 9 ? tens * 10 + ones : -1;
}
