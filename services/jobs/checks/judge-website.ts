import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { CheckResult, Judgement } from '../../../shared/reads/checks/verdict.js';
import { type Check, type Gathered, unknown } from './facts/check.js';
import type { Facts } from './facts/facts.js';
import { whyNot } from './facts/retrievals.js';

/** Judges what was gathered, one check after the other: others get their turn between them. */
export async function judgeWebsite(
  checks: readonly Check[],
  gathered: Gathered,
  logger: Pick<Logger, 'error'>,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const reason = whyNotReached(gathered);
  for (const check of checks) {
    const { id: checkId, title, category, weight } = check;
    results.push({
      checkId,
      title,
      category,
      weight,
      ...withReach(check, reason, judged(check, gathered, logger)),
    });
    await nextTurn();
  }
  return results;
}

const WEEK_MS = 7 * DAY_MS;

/** Of a website whose logs are younger than the seven days that checks tell of, the evidence says since when there are any. */
function withSince(check: Check, { logs, now }: Gathered, judgement: Judgement): Judgement {
  if (!check.needs.includes('logs') || !('since' in logs) || typeof now !== 'number') return judgement;
  if (now - logs.since >= WEEK_MS) return judgement;
  const logs_since = new Date(logs.since).toISOString();
  return { ...judgement, evidence: { ...judgement.evidence, logs_since } };
}

/** Facts that need no fetch. */
const stored: ReadonlySet<keyof Facts> = new Set(['now', 'flow', 'logs']);

/** Why nothing at all could be fetched from the website; null: something answered. */
function whyNotReached({ home }: Gathered): string | null {
  if ('absent' in home) return home.absent.outcome === 'not_checked' ? home.absent.note : null;
  return home.outcome === 'unreachable' ? whyNot('The website', home) : null;
}

/** On a closed network many checks are unknown for one reason. The reason is the same text in each, so that readers can show it once. */
function withReach(check: Check, reason: string | null, judgement: Judgement): Judgement {
  const { verdict, evidence } = judgement;
  if (reason === null || verdict !== 'unknown' || evidence.outcome === undefined) return judgement;
  if (check.needs.every((name) => stored.has(name))) return judgement;
  return { verdict, evidence: { ...evidence, not_reached: reason } };
}

/** A mistake in one check must not cost the others. */
function judged(check: Check, gathered: Gathered, logger: Pick<Logger, 'error'>): Judgement {
  try {
    return withSince(check, gathered, check.judge(gathered));
  } catch (error) {
    logger.error({ err: error, check: check.id }, 'a check failed to judge');
    return unknown('This check failed by a mistake of its own. The operator finds it in the log.', {
      outcome: 'unconfirmed',
    });
  }
}
