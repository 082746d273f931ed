/** Lines of each kind in one difference, and characters of a line. */
const MAX_LINES = 100;
const MAX_CHARACTERS = 500;

/** Lines of a robots.txt that another version lacks. Their order and the spaces around them do not count. Pure. */
export function changedLines(before: string, after: string): { added: string[]; removed: string[] } {
  const old = linesOf(before);
  const now = linesOf(after);
  return { added: without(now, old), removed: without(old, now) };
}

/** How often each line occurs: a rule may occur in several groups. */
function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const own = line.trim();
    if (own !== '') lines.set(own, (lines.get(own) ?? 0) + 1);
  }
  return lines;
}

function without(lines: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): string[] {
  const found: string[] = [];
  for (const [line, count] of lines)
    for (let left = count - (others.get(line) ?? 0); left > 0 && found.length < MAX_LINES; left -= 1)
      found.push(line.slice(0, MAX_CHARACTERS));
  return found;
}
