import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { CheckResult, Judgement } from '../../../shared/reads/checks/verdict.js';
import { type Check, type Gathered, unknown } from './facts/check.js';
import type { Facts } from './facts/facts.js';
import { whyNot } from './facts/retrievals.js';

/** Runs the checks on the gathered facts, one after the other, and yields to the event loop between them. */
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

/** If the logs are shorter than the seven days of the checks, the evidence has their start. */
function withSince(check: Check, { logs, now }: Gathered, judgement: Judgement): Judgement {
  if (!check.needs.includes('logs') || !('since' in logs) || typeof now !== 'number') return judgement;
  if (now - logs.since >= WEEK_MS) return judgement;
  const logs_since = new Date(logs.since).toISOString();
  return { ...judgement, evidence: { ...judgement.evidence, logs_since } };
}

/** Facts that need no fetch. */
const stored: ReadonlySet<keyof Facts> = new Set(['now', 'flow', 'logs']);

/** Why the website sent no response at all; null: it sent one. */
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

/** A bug in one check must not stop the others. */
function judged(check: Check, gathered: Gathered, logger: Pick<Logger, 'error'>): Judgement {
  try {
    return withSince(check, gathered, check.judge(gathered));
  } catch (error) {
    logger.error({ err: error, check: check.id }, 'a check threw an error');
    return unknown('This check failed because of a bug. The operator finds the error in the log.', {
      outcome: 'unconfirmed',
    });
  }
}
