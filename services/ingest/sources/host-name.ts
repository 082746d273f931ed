const UNDERSCORE = 95;
const HYPHEN = 45;

/** The longest name that DNS knows (RFC 1035 §2.3.4). */
const LONGEST_NAME = 255;

/** A dotted name whose last label is of letters (or punycode), a port behind it or not: neither an address nor a version such as TLSv1.3. */
export function isHostName(value: string): boolean {
  if (value.length > LONGEST_NAME) return false;
  const colon = value.indexOf(':');
  if (colon !== -1 && !isDigits(value, colon + 1)) return false;
  const labels = (colon === -1 ? value : value.slice(0, colon)).split('.');
  const last = labels.pop()!;
  return labels.length > 0 && labels.every(isLabel) && isTopLabel(last);
}

/** Letters, digits, hyphens and underscores; the hyphen neither first nor last, the underscore not last. */
function isLabel(label: string): boolean {
  const first = label.charCodeAt(0);
  const last = label.charCodeAt(label.length - 1);
  if (!isLetterOrDigit(first) && first !== UNDERSCORE) return false;
  if (!isLetterOrDigit(last) && label.length > 1) return false;
  return hasOnly(label, 1, (code) => isLetterOrDigit(code) || code === HYPHEN || code === UNDERSCORE);
}

function isTopLabel(label: string): boolean {
  if (label.length >= 2 && hasOnly(label, 0, isLetter)) return true;
  return (
    label.length > 4 &&
    label.startsWith('xn--') &&
    hasOnly(label, 4, (code) => isLetterOrDigit(code) || code === HYPHEN)
  );
}

function isDigits(text: string, from: number): boolean {
  return from < text.length && hasOnly(text, from, (code) => code >= 48 && code <= 57);
}

function isLetterOrDigit(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57);
}

function hasOnly(text: string, from: number, allows: (code: number) => boolean): boolean {
  for (let at = from; at < text.length; at++) if (!allows(text.charCodeAt(at))) return false;
  return true;
}

export function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}
