import type { MinuteSignal } from '../../shared/detection/signal.js';

/** Lists alone: the website's counts stay what they are. */
export function withoutSuppressed(counts: MinuteSignal, suppressed: ReadonlySet<string>): MinuteSignal {
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
  };
}
