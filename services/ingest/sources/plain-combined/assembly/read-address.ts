import { byteAt, digitAt, DOT } from './read-bytes';

/** Whether four decimal octets stand there, none with a leading zero (ip-form.ts). */
export function isIPv4(from: i32, to: i32): bool {
  if (to - from < 7 || to - from > 15) return false;
  let dots = 0;
  let value: u32 = 0;
  let digits = 0;
  for (let at = from; at < to; at++) {
    if (byteAt(at) == DOT) {
      if (digits == 0 || ++dots > 3) return false;
      value = 0;
      digits = 0;
    } else {
      const digit = digitAt(at);
      if (digit > 9 || (digits > 0 && value == 0)) return false;
      value = value * 10 + digit;
      if (++digits > 3 || value > 255) return false;
    }
  }
  return dots == 3 && digits > 0;
}

/** Bytes of `::ffff:`. */
export const MAPPED_BYTES: i32 = 7;
/** `::ff` and, from its last letter on, `fff:`: little-endian. */
const MAPPED_BEGIN: i32 = 0x66663a3a;
const MAPPED_END: i32 = 0x3a666666;

/** Whether an IPv4 address stands there as a dual-stack server writes it: kept is what follows the prefix (client-ip.ts). */
@inline
export function isMapped(from: i32, to: i32): bool {
  return load<i32>(from) == MAPPED_BEGIN && load<i32>(from + 3) == MAPPED_END && isIPv4(from + MAPPED_BYTES, to);
}
