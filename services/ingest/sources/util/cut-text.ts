/** The first characters, never half of a surrogate pair. */
export function head(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** A value in an error message: enough to find it, too little to flood the answer. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${head(text, 60)}…` : text);
}

/** Splits a constant text into words, so that long lists remain readable. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
