import type { SpanCounts } from '../counts/span-counts.js';

/** Lists alone: the website's counts stay what they are. */
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
