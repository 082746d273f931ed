import type { InSpan } from './read-in-pieces.js';
import type { BotCounts } from './span-counts.js';

/**
 * Characters of the texts in one span's list of bots. Clients choose names, so a number of bots bounds no
 * memory: an import evaluates many spans at once. Real bots of an hour take a tenth of it.
 */
const MOST_CHARACTERS = 256 * 1024;

/**
 * Leaves out the last bots of spans whose texts are too long: those with fewest requests, and no verifiable
 * claim before the others.
 * @param onCut called once for each span with bots that are left out
 */
export function botsWithinBound<Row extends InSpan & BotCounts>(
  rows: readonly Row[],
  onCut: (of: InSpan) => void,
): Row[] {
  const used = new Map<string, number>();
  const cut = new Set<string>();
  return rows.filter((row) => {
    const key = `${row.span} ${row.website}`;
    const characters = (used.get(key) ?? 0) + charactersOf(row);
    used.set(key, characters);
    const isKept = characters <= MOST_CHARACTERS;
    if (!isKept && !cut.has(key)) {
      cut.add(key);
      onCut(row);
    }
    return isKept;
  });
}

function charactersOf({ name, family, operator, sampleIp, sampleUserAgent, samplePath }: BotCounts): number {
  const texts = [name, family, operator, sampleIp, sampleUserAgent, samplePath];
  return texts.reduce((sum, text) => sum + text.length, 0);
}
