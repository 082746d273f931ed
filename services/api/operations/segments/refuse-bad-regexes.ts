import type { ClickHouseReader } from '../../../../shared/clickhouse/client.js';
import type { SegmentRule } from '../../../../shared/control/model.js';
import { PublicError } from '../../../../shared/errors.js';
import { checkRegexes } from '../../../../shared/queries/check-regexes.js';

interface Rules {
  readonly rules: readonly SegmentRule[];
  readonly exclude_rules?: readonly SegmentRule[] | undefined;
}

/** @throws PublicError invalid_request naming the first regex that the engine refuses. @throws StoreUnavailableError */
export async function refuseBadRegexes(
  reader: ClickHouseReader,
  { rules, exclude_rules = [] }: Rules,
): Promise<void> {
  const patterns = [...rules, ...exclude_rules].filter(({ type }) => type === 'regex');
  if (patterns.length === 0) return;
  const refused = await checkRegexes(
    reader,
    patterns.map(({ value }) => value),
  );
  if (refused === null) return;
  const { pattern, problem } = refused;
  throw new PublicError(
    'invalid_request',
    `rules: the regex ${JSON.stringify(pattern)} is wrong: ${problem}`,
  );
}
