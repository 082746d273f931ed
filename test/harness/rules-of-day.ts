import { loadRuleData, type RuleData } from '../../shared/crawlers/crawler-rules.js';

/**
 * The crawler rules of this release as they are where the lists were downloaded on a day again and had not changed: an address outside them is
 * spoofed then, however old the lists of the release are.
 * @param day ISO date.
 */
export function ruleDataOfDay(day: string): RuleData {
  const data = loadRuleData();
  const history = new Map(
    [...data.history].map(([feed, snapshots]) => {
      const last = snapshots.at(-1)!;
      const again = { ...last, since: last.since ?? last.retrieved, retrieved: day };
      return [feed, [...snapshots.slice(0, -1), again]] as const;
    }),
  );
  return { ...data, history };
}
