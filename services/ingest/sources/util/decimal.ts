const [DOT, ZERO] = [46, 48];

/**
 * Numbers of this many digits are exact, and so are the powers of ten up to there. Their quotient is rounded once, as
 * in `Number`.
 */
const MOST_EXACT_DIGITS = 15;
const powersOfTen = Array.from({ length: MOST_EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** The number of decimal digits, with or without a fraction; NaN for any other text, and for a sign. */
export function parseDecimal(text: string): number {
  const length = text.length;
  let value = 0;
  let at = 0;
  for (; at < length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (at === 0) return Number.NaN;
  if (at === length) return length <= MOST_EXACT_DIGITS ? value : Number(text);
  const behind = at + 1;
  if (text.charCodeAt(at) !== DOT || behind === length) return Number.NaN;
  for (at = behind; at < length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return length - 1 <= MOST_EXACT_DIGITS ? value / powersOfTen[length - behind]! : Number(text);
}
