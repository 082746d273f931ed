import type { SpanCounts } from '../counts/span-counts.js';

/** Removes suppressed bots from the lists only; the website's counts do not change. */
export function withoutSuppressed(counts: SpanCounts, suppressed: ReadonlySet<string>): SpanCounts {
  if (suppressed.size === 0) return counts;
  const isSuppressed = (name: string) => name !== '' && suppressed.has(name.toLowerCase());
  return {
    ...counts,
    byBot: counts.byBot.filter(
      ({ name, family, operator, verification }) =>
        !isSuppressed(name) &&
        !isSuppressed(family) &&
        !(verification === 'undeclared' && isSuppressed(operator)),
    ),
    byClient: counts.byClient.filter(({ botName }) => !isSuppressed(botName)),
    unlisted: counts.unlisted.filter(({ botName }) => !isSuppressed(botName)),
  };
}
