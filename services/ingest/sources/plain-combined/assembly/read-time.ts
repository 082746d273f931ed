import { DAY } from './memory';
import { byteAt, COLON, QUOTE, SPACE, twoDigits } from './read-bytes';

/** Of `17/Nov/2026:12:00:02 +0000] "`. */
export const TIME_AND_QUOTE_BYTES: i32 = 29;
const CLOSE_BRACKET: i32 = 93;

/** Whether a time stands there, of whatever day. */
@inline
export function isTime(at: i32): bool {
  return (
    byteAt(at + 11) == COLON &&
    byteAt(at + 14) == COLON &&
    byteAt(at + 17) == COLON &&
    byteAt(at + 20) == SPACE &&
    byteAt(at + 26) == CLOSE_BRACKET &&
    byteAt(at + 27) == SPACE &&
    byteAt(at + 28) == QUOTE
  );
}

/** Whether date and zone are those of {@link DAY}. */
@inline
export function isOfDay(at: i32): bool {
  return (
    load<i64>(at) == load<i64>(DAY) &&
    load<i32>(at + 7) == load<i32>(DAY + 7) &&
    load<i32>(at + 21) == load<i32>(DAY + 11) &&
    byteAt(at + 25) == byteAt(DAY + 15)
  );
}

/** @returns seconds since midnight; -1 where there is no such time. */
@inline
export function secondOfDay(at: i32): i32 {
  const hours = twoDigits(at + 12);
  const minutes = twoDigits(at + 15);
  const seconds = twoDigits(at + 18);
  if (<u32>hours > 23 || <u32>minutes > 59 || <u32>seconds > 59) return -1;
  return (hours * 60 + minutes) * 60 + seconds;
}
