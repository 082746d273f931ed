import { createLineLimit, type LineLimit } from './line-limit.js';
import type { Logger } from './log.js';

/** Enough to see that a failure goes on. */
const LINES_PER_MINUTE = 3;
const MOST_TEXTS = 100;

const limits = new WeakMap<object, LineLimit>();

/**
 * Logs warnings that repeat for as long as a store is away: of each text some lines a minute, over all clients with this logger.
 * How many were left out comes with the next line of the same text.
 * @param now milliseconds since the epoch
 */
export function warnLimited(
  logger: Pick<Logger, 'warn'>,
  fields: object,
  text: string,
  now: () => number = Date.now,
): void {
  let limit = limits.get(logger);
  if (limit === undefined) {
    limit = createLineLimit({
      ...{ linesPerMinute: LINES_PER_MINUTE, mostSubjects: MOST_TEXTS, now },
      onLeftOut: ({ lines }) => logger.warn({ lines }, 'repeated warnings of the last minute were left out'),
    });
    limits.set(logger, limit);
  }
  const admitted = limit.admit(text);
  if (admitted !== null) logger.warn({ ...fields, ...admitted }, text);
}
