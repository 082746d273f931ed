import { createLineLimit, type LineLimit } from './line-limit.js';
import type { Logger } from './log.js';

/** Enough to show an ongoing failure. */
const LINES_PER_MINUTE = 3;
const MOST_TEXTS = 100;

const limits = new WeakMap<object, LineLimit>();

/**
 * Limits warnings that repeat during an outage: a few lines a minute of each text, over all clients with this logger.
 * The next line with the same text has the number of omitted ones.
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
