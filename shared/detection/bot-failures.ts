import type { BotSignal, MinuteSignal } from './signal.js';

type BotFailures = Pick<MinuteSignal, 'botsNotFound' | 'botsOther4xx' | 'bots5xx'>;

export const noBotFailures: BotFailures = { botsNotFound: 0, botsOther4xx: 0, bots5xx: 0 };

/** What a list of bots tells of what bots met: of other 4xx it has the refusals alone. */
export function listedFailures(byBot: readonly BotSignal[]): BotFailures {
  const failures: { -readonly [Field in keyof BotFailures]: number } = { ...noBotFailures };
  for (const { notFound, rejected, status5xx } of byBot) {
    failures.botsNotFound += notFound;
    failures.botsOther4xx += rejected;
    failures.bots5xx += status5xx;
  }
  return failures;
}

/** Whether the minute's list of bots tells all that bots met. */
export function isAllListed(minute: MinuteSignal): boolean {
  const { botsNotFound, botsOther4xx, bots5xx } = listedFailures(minute.byBot);
  return (
    minute.botsNotFound === botsNotFound && minute.botsOther4xx === botsOther4xx && minute.bots5xx === bots5xx
  );
}
