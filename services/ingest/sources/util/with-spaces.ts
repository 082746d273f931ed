/** Text in which IIS wrote spaces as `+`. */
export function withSpaces(text: string): string {
  if (!text.includes('+') || text.includes(' ')) return text;
  // Two of them are a space and a plus sign, as in `; +http://`.
  return text.replace(/\+\+?/g, (run) => (run.length === 2 ? ' +' : ' '));
}
