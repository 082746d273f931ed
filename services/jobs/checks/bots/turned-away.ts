import { percentOf } from '../../../../shared/reads/answer/figures.js';
import { LIMITED_PCT } from '../../../../shared/reads/bots/classify-access.js';
import type { BotAccess } from '../facts/facts.js';

const MOST_ROWS = 10;
const MOST_NAMED = 3;

/** The access of verified crawlers of a category: in total, and for each crawler. */
export interface Access {
  /** Served or rejected. */
  readonly requests: number;
  readonly rejected: number;
  readonly sharePct: number;
  /** Asked to pay (402); counted separately. */
  readonly charged: number;
  /** Rejected crawlers, most rejected requests first. A crawler that is served does not offset them. */
  readonly refused: readonly BotAccess[];
  /** Served and rejected requests of each crawler, as evidence. */
  readonly bots: readonly object[];
}

/** @param least the requests from which a crawler is judged on its own */
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

/** A crawler that must pay (402) is refused only if unverified requests under its name are served. */
function isRefused(bot: BotAccess): boolean {
  return bot.real === 'inverted' || percentOf(bot.rejected, answered(bot)) >= LIMITED_PCT;
}

const answered = ({ served, rejected, charged }: BotAccess) => served + rejected + charged;

/** Whether all or nearly all of the crawler's own requests are rejected. */
export const isShutOut = ({ real }: BotAccess) => real === 'shut_out' || real === 'inverted';

/** Sentences about the first of these crawlers. */
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
