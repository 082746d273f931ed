import { byteAt, DOT } from './read-bytes';

/** Whether four decimal octets stand there, none with a leading zero (ip-form.ts). */
export function isIPv4(from: i32, to: i32): bool {
  if (to - from < 7 || to - from > 15) return false;
  let dots = 0;
  let value = 0;
  let digits = 0;
  for (let at = from; at < to; at++) {
    const byte = byteAt(at);
    if (byte == DOT) {
      if (digits == 0 || ++dots > 3) return false;
      value = digits = 0;
    } else {
      if (byte < 48 || byte > 57 || (digits > 0 && value == 0)) return false;
      value = value * 10 + byte - 48;
      if (++digits > 3 || value > 255) return false;
    }
  }
  return dots == 3 && digits > 0;
}
