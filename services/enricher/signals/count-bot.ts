import type { BotSignal } from '../../../shared/detection/signal.js';
import { cut } from './cut.js';
import type { Outcome } from './outcome.js';
import type { SignalRow } from './signal-row.js';

/** One claim with one verdict, within a minute; changed in place. */
export type BotCounts = { -readonly [Field in keyof BotSignal]: BotSignal[Field] };

export function newBot(row: SignalRow): BotCounts {
  return {
    name: row.bot_name,
    family: row.bot_family,
    operator: row.bot_operator,
    category: row.bot_category,
    verification: row.bot_verification,
    requests: 0,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    sampleIp: row.client_ip,
    sampleUserAgent: cut(row.user_agent),
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
