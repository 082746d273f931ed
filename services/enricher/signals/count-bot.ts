import type { BotSignal } from '../../../shared/detection/signal.js';
import { cut } from './cut.js';
import type { Outcome } from './outcome.js';
import { type SignalRow, textOf } from './signal-row.js';

/** One claim with one verdict, within the time of a list; changed in place. */
export type BotCounts = { -readonly [Field in keyof BotSignal]: BotSignal[Field] };

export function newBot(row: SignalRow): BotCounts {
  const { bot_name, bot_family, bot_operator, bot_category, bot_verification } = row.judgement;
  return {
    name: bot_name,
    family: bot_family,
    operator: bot_operator,
    category: bot_category,
    verification: bot_verification,
    requests: 0,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    sampleIp: textOf(row, 'client_ip'),
    sampleUserAgent: cut(textOf(row, 'user_agent')),
    samplePath: '',
  };
}

export function countBot(bot: BotCounts, path: string, outcome: Outcome): void {
  bot.requests += 1;
  if (outcome.isNotFound) bot.notFound += 1;
  if (outcome.isRejected) bot.rejected += 1;
  if (outcome.isServerError) bot.status5xx += 1;
  if (bot.samplePath === '' && (outcome.isNotFound || outcome.isRejected || outcome.isServerError))
    bot.samplePath = cut(path);
}
