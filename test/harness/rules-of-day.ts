import { loadRuleData, type RuleData } from '../../shared/crawlers/crawler-rules.js';

/**
 * The crawler rules of this release, as if the lists had been downloaded again on a day without a change. An
 * address outside of them is then spoofed, even if the release's lists are old.
 * @param day ISO date
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
