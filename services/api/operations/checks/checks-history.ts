import { z } from '@hono/zod-openapi';
import { DAY_MS } from '../../../../shared/durations.js';
import { standaloneAnswer } from '../../../../shared/reads/answer/answer.js';
import { midnightOf } from '../../../../shared/reads/bots/daily-build.js';
import { type DayVerdict, readVerdictDays } from '../../../../shared/reads/checks/check-verdicts.js';
import { verdict } from '../../../../shared/reads/checks/checks.js';

/** The results of the nightly checks by day, and their changes (spec §3.2, §4.9). */

const date = z.string().openapi({ description: 'A UTC day, YYYYMMDD.', example: '20261122' });

export const checksHistory = standaloneAnswer({
  schema: z.object({
    history: z.record(z.string(), z.array(z.object({ date, verdict }))).openapi({
      description: 'By check id, oldest day first; days without a stored verdict are absent.',
    }),
    changes: z.array(z.object({ check_id: z.string(), date, from: verdict, to: verdict })).openapi({
      description:
        'Verdicts that differ from the previous evaluated day, also from and to unknown; newest first. The previous day may be outside the listed days.',
    }),
    days: z.int().openapi({ description: 'Listed UTC days, including today.' }),
  }),
  async read(reader, { websiteId, now }, { days }: { readonly days: number }) {
    const since = midnightOf(now) - (days - 1) * DAY_MS;
    const stored = await readVerdictDays(reader, { websiteId, since });
    const recent = stored.filter(({ day }) => day >= since);
    const byCheck = new Map<string, { date: string; verdict: DayVerdict['verdict'] }[]>();
    for (const { checkId, day, verdict } of recent) {
      const verdicts = byCheck.get(checkId) ?? [];
      byCheck.set(checkId, verdicts);
      verdicts.push({ date: toDate(day), verdict });
    }
    return { history: Object.fromEntries(byCheck), changes: changesOf(stored, since), days };
  },
});

/** @param stored by check, oldest first. */
function changesOf(stored: readonly DayVerdict[], since: number) {
  const changes = stored.flatMap((one, place) => {
    const before = stored[place - 1];
    if (before?.checkId !== one.checkId || before.verdict === one.verdict || one.day < since) return [];
    return [{ day: one.day, check_id: one.checkId, from: before.verdict, to: one.verdict }];
  });
  changes.sort((one, other) => other.day - one.day || (one.check_id < other.check_id ? -1 : 1));
  return changes.map(({ day, check_id, from, to }) => ({ check_id, date: toDate(day), from, to }));
}

function toDate(day: number): string {
  return new Date(day).toISOString().slice(0, 10).replaceAll('-', '');
}
