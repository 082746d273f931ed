import { tooCostly } from '../../../../shared/control/aggregates/segment-limits.js';
import type { SegmentRule } from '../../../../shared/control/domain/model.js';
import { PublicError } from '../../../../shared/errors.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { checkRegexes } from './check-regexes.js';

interface Rules {
  readonly rules: readonly SegmentRule[];
  readonly exclude_rules?: readonly SegmentRule[] | undefined;
}

/** @throws PublicError invalid_request naming the first regex that is too costly or that the engine refuses. @throws StoreUnavailableError */
export async function refuseBadRegexes(
  reader: ClickHouseReader,
  { rules, exclude_rules = [] }: Rules,
): Promise<void> {
  // Before the engine compiles them, because compiling also takes time.
  const problem = tooCostly({ rules, excludeRules: exclude_rules });
  if (problem !== null) throw new PublicError('invalid_request', problem);
  const patterns = [...rules, ...exclude_rules].filter(({ type }) => type === 'regex');
  if (patterns.length === 0) return;
  const refused = await checkRegexes(
    reader,
    patterns.map(({ value }) => value),
  );
  if (refused === null) return;
  throw new PublicError(
    'invalid_request',
    `rules: the regex ${JSON.stringify(refused.pattern)} is wrong: ${refused.problem}`,
  );
}
