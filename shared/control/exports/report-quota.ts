import { z } from 'zod';
import { unknownOrganisation } from '../aggregates/organisation.js';
import { commandKind } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import { versionOf } from '../domain/state.js';

/**
 * Quota of technical SEO reports: 10 per organisation and UTC month (spec §8). They are few and recorded anyway, so the
 * decisions count them: exactly, over any number of replicas.
 */

export const REPORTS_PER_MONTH = 10;

export const reportTaken = eventKind({
  aggregate: 'report_quota',
  type: 'report_quota.taken',
  schema: z.object({}),
  // The aggregate's version is the count, so it must have no other events.
  evolve() {},
});

export const takeReport = commandKind({
  schema: z.strictObject({ organisationId: z.string() }),
  decide(state, { organisationId }, { now }) {
    if (state.organisations.get(organisationId) === undefined) return unknownOrganisation(organisationId);
    const id = `${organisationId}/${new Date(now).toISOString().slice(0, 7)}`;
    const taken = versionOf(state, reportTaken.aggregate, id);
    if (taken >= REPORTS_PER_MONTH) {
      return {
        refusal: {
          code: 'rate_limited',
          detail: `an organisation has ${REPORTS_PER_MONTH} technical SEO reports a month`,
          limit: REPORTS_PER_MONTH,
          resetAt: startOfNextMonth(now),
        },
      };
    }
    return {
      events: [nextEvent(state, reportTaken, id, {})],
      answer: (): { remaining: number } => ({ remaining: REPORTS_PER_MONTH - taken - 1 }),
    };
  },
});

function startOfNextMonth(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}
