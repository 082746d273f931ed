import { percentOf } from '../../../../shared/reads/answer/figures.js';
import { LIMITED_PCT } from '../../../../shared/reads/bots/classify-access.js';
import type { BotAccess } from '../facts/facts.js';

const MOST_ROWS = 10;
const MOST_NAMED = 3;

/** How proved crawlers of a category were let in: together, and each by itself. */
export interface Access {
  /** Served or rejected. */
  readonly requests: number;
  readonly rejected: number;
  readonly sharePct: number;
  /** Asked to pay (402): counted apart. */
  readonly charged: number;
  /** Crawlers that were turned away, most rejected requests first. One that is let in makes up for none of them. */
  readonly refused: readonly BotAccess[];
  /** Served and refused for each crawler, as evidence. */
  readonly bots: readonly object[];
}

/** @param least requests of a crawler from which on it is judged by itself. */
export function accessOf(access: readonly BotAccess[], category: string, least: number): Access {
  const own = access
    .filter((bot) => bot.category === category && answered(bot) > 0)
    .sort((one, other) => other.rejected - one.rejected || other.charged - one.charged);
  const sum = (count: (bot: BotAccess) => number) => own.reduce((total, bot) => total + count(bot), 0);
  const rejected = sum((bot) => bot.rejected);
  const requests = rejected + sum((bot) => bot.served);
  return {
    requests,
    rejected,
    sharePct: percentOf(rejected, requests),
    charged: sum((bot) => bot.charged),
    refused: own.filter((bot) => answered(bot) >= least && isRefused(bot)),
    bots: own.slice(0, MOST_ROWS).map((bot) => ({
      bot: bot.name,
      operator: bot.operator,
      real_crawler: bot.real,
      requests: answered(bot),
      served: bot.served,
      rejected: bot.rejected,
      payment_required: bot.charged,
      by_status: bot.byStatus,
      unverified_served: bot.unverifiedServed,
      unverified_rejected: bot.unverifiedRejected,
    })),
  };
}

/** A crawler that is only asked to pay was made an offer: it is refused where others get for nothing what it is to pay for. */
function isRefused(bot: BotAccess): boolean {
  return bot.real === 'inverted' || percentOf(bot.rejected, answered(bot)) >= LIMITED_PCT;
}

const answered = ({ served, rejected, charged }: BotAccess) => served + rejected + charged;

/** Whether none of the crawler's own requests was let in, or hardly any. */
export const isShutOut = ({ real }: BotAccess) => real === 'shut_out' || real === 'inverted';

/** Sentences on the first of them. */
export function refusedText(refused: readonly BotAccess[]): string {
  const named = refused.slice(0, MOST_NAMED).map((bot) => {
    const of = `${bot.rejected + bot.charged} of ${answered(bot)} requests`;
    if (bot.real === 'inverted')
      return `The real ${bot.name} is shut out (${of}), and impostors get in: ${bot.unverifiedServed} unverified requests under its name were served.`;
    return bot.real === 'shut_out'
      ? `${bot.name} is shut out (${of}).`
      : `${bot.name} is turned away in part (${of}).`;
  });
  const more = refused.length - named.length;
  return [...named, ...(more > 0 ? [`So are ${more} more.`] : [])].join(' ');
}
