import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CheckResult } from '../../../shared/checks/verdict.js';
import type { Logger } from '../../../shared/log.js';
import { type Check, type Gathered, unknown } from './check.js';

/** Judges what was gathered, one check after the other: others get their turn between them. */
export async function judgeWebsite(
  checks: readonly Check[],
  gathered: Gathered,
  logger: Pick<Logger, 'error'>,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const { id: checkId, title, category, weight } = check;
    results.push({ checkId, title, category, weight, ...judged(check, gathered, logger) });
    await nextTurn();
  }
  return results;
}

/** A mistake in one check must not cost the others. */
function judged(check: Check, gathered: Gathered, logger: Pick<Logger, 'error'>) {
  try {
    return check.judge(gathered);
  } catch (error) {
    logger.error({ err: error, check: check.id }, 'a check failed to judge');
    return unknown('This check failed by a mistake of its own. The operator finds it in the log.', {
      outcome: 'unconfirmed',
    });
  }
}
