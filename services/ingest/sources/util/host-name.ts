const UNDERSCORE = 95;
const HYPHEN = 45;

/** The longest name that DNS knows (RFC 1035 §2.3.4). */
const LONGEST_NAME = 255;

/**
 * A dotted name whose last label is of letters (or punycode), with or without a port: neither an address nor a
 * version such as TLSv1.3.
 */
export function isHostName(value: string): boolean {
  if (value.length > LONGEST_NAME) return false;
  const colon = value.indexOf(':');
  if (colon !== -1 && !isDigits(value, colon + 1)) return false;
  const end = colon === -1 ? value.length : colon;
  const dot = value.lastIndexOf('.', end - 1);
  // Most other words, such as times, end here.
  if (dot <= 0 || !isTopLabel(value, dot + 1, end)) return false;
  for (let from = 0; from <= dot; ) {
    const to = value.indexOf('.', from);
    if (!isLabel(value, from, to)) return false;
    from = to + 1;
  }
  return true;
}

/** Letters, digits, hyphens and underscores; the hyphen neither first nor last, the underscore not last. */
function isLabel(value: string, from: number, to: number): boolean {
  if (from === to) return false;
  const first = value.charCodeAt(from);
  if (!isLetterOrDigit(first) && first !== UNDERSCORE) return false;
  if (to - from > 1 && !isLetterOrDigit(value.charCodeAt(to - 1))) return false;
  for (let at = from + 1; at < to; at++) {
    const code = value.charCodeAt(at);
    if (!isLetterOrDigit(code) && code !== HYPHEN && code !== UNDERSCORE) return false;
  }
  return true;
}

function isTopLabel(value: string, from: number, to: number): boolean {
  if (to - from < 2) return false;
  const isPunycode = to - from > 4 && value.startsWith('xn--', from);
  for (let at = isPunycode ? from + 4 : from; at < to; at++) {
    const code = value.charCodeAt(at);
    if (!(isPunycode ? isLetterOrDigit(code) || code === HYPHEN : isLetter(code))) return false;
  }
  return true;
}

function isDigits(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return from < text.length;
}

function isLetterOrDigit(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57);
}

export function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}
