import { keepBots, keepClients } from '../../../shared/detection/fold-signals.js';
import type { BotSignal, ClientSignal, MinuteSignal } from '../../../shared/detection/signal.js';

/** Of an interval that is over: what alerts of a longer stretch show. The heaviest, and those who were refused most. */

const MOST_SHOWN = 3;

/** Counts as they are; of the lists a few entries without texts. Pure. */
export function shownOf(counts: MinuteSignal): MinuteSignal {
  return {
    ...counts,
    byBot: heaviest(counts.byBot, keepBots).map(withoutBotTexts),
    byClient: heaviest(counts.byClient, keepClients).map(withoutClientTexts),
  };
}

/** Who was refused (401, 403, 429), the most refused first: bots by name, addresses of who claims to be none. */
export function refusedOf({ byBot, byClient }: MinuteSignal): readonly Readonly<Record<string, unknown>>[] {
  const bots = byBot.map(({ name, operator, verification, requests, rejected }) => ({
    bot: name || operator,
    verification,
    requests,
    rejected,
  }));
  const clients = byClient
    .filter(({ botName }) => botName === '')
    .map(({ ip, asName, requests, rejected }) => ({ ip, network: asName, requests, rejected }));
  return mostRefused([...bots, ...clients]).slice(0, 5);
}

function heaviest<Entry extends { readonly rejected: number }>(
  entries: readonly Entry[],
  keep: (entries: readonly Entry[], most: number) => Entry[],
): Entry[] {
  return [...new Set([...keep(entries, MOST_SHOWN), ...mostRefused(entries).slice(0, MOST_SHOWN)])];
}

function mostRefused<Entry extends { readonly rejected: number }>(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ rejected }) => rejected > 0).sort((a, b) => b.rejected - a.rejected);
}

const withoutBotTexts = (bot: BotSignal): BotSignal => ({
  ...bot,
  ...{ sampleIp: '', sampleUserAgent: '', samplePath: '' },
});

const withoutClientTexts = (client: ClientSignal): ClientSignal => ({
  ...client,
  ...{ sampleUserAgent: '', samplePaths: [] },
});
