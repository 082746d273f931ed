import type { Logger } from '../logging/log.js';
import { type DamagedPart, daysInWords, type PartRange } from './damaged-part.js';
import { StoreDamagedError } from './store-errors.js';

/** Parts that are logged only once; further ones are logged each time. */
const MOST_REPORTED = 1_000;

const MESSAGE =
  'stored data is damaged: reads of these days are refused until the part is restored (docs/troubleshooting.md, "Damaged files")';

/**
 * @returns an error handler that adds the days to a failed statement on a damaged part, and logs each part once. It
 * always throws.
 */
export function createDamageReports(
  readRange: (part: DamagedPart) => Promise<readonly PartRange[]>,
  logger: Pick<Logger, 'error'> | undefined,
): (error: unknown) => Promise<never> {
  const reported = new Set<string>();

  const rangeOf = async (part: DamagedPart): Promise<PartRange | null> => {
    try {
      return (await readRange(part))[0] ?? null;
    } catch {
      // The server's user may lack the right to see parts.
      return null;
    }
  };

  return async (error) => {
    if (!(error instanceof StoreDamagedError)) throw error;
    const { part } = error;
    const range = await rangeOf(part);
    const days = daysInWords(part, range);
    const key = `${part.tableId}/${part.name}`;
    if (!reported.has(key)) {
      if (reported.size < MOST_REPORTED) reported.add(key);
      logger?.error({ part: key, table: range?.table ?? null, days }, MESSAGE);
    }
    throw new StoreDamagedError(part, { days, cause: error.cause });
  };
}
