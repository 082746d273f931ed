import type { BotSignal, MinuteSignal } from './signal.js';

type BotFailures = Pick<MinuteSignal, 'botsNotFound' | 'botsOther4xx' | 'bots5xx'>;

/** What is known of it where nothing but the list tells: refusals are all other 4xx that it has. */
export function listedFailures(byBot: readonly BotSignal[]): BotFailures {
  const failures = { botsNotFound: 0, botsOther4xx: 0, bots5xx: 0 };
  for (const { notFound, rejected, status5xx } of byBot) {
    failures.botsNotFound += notFound;
    failures.botsOther4xx += rejected;
    failures.bots5xx += status5xx;
  }
  return failures;
}

/** Whether the list tells all of it. */
export function isAllListed(minute: MinuteSignal): boolean {
  const { botsNotFound, botsOther4xx, bots5xx } = listedFailures(minute.byBot);
  return (
    minute.botsNotFound === botsNotFound && minute.botsOther4xx === botsOther4xx && minute.bots5xx === bots5xx
  );
}
