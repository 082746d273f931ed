import { percentOf } from '../../../../shared/answers/figures.js';
import type { BotAccess } from '../facts.js';

/** How proved crawlers of a category were let in. */
export interface Access {
  readonly requests: number;
  readonly rejected: number;
  readonly sharePct: number;
  /** Those that were turned away, most first. */
  readonly bots: readonly {
    readonly bot: string;
    readonly rejected: number;
    readonly requests: number;
    readonly by_status: BotAccess['byStatus'];
  }[];
}

export function accessOf(access: readonly BotAccess[], category: string): Access {
  const own = access.filter((bot) => bot.category === category);
  const sum = (count: (bot: BotAccess) => number) => own.reduce((total, bot) => total + count(bot), 0);
  const rejected = sum((bot) => bot.rejected);
  const requests = rejected + sum((bot) => bot.served);
  return {
    requests,
    rejected,
    sharePct: percentOf(rejected, requests),
    bots: own
      .filter((bot) => bot.rejected > 0)
      .sort((one, other) => other.rejected - one.rejected)
      .slice(0, 5)
      .map(({ name, rejected: turned, served, byStatus }) => {
        return { bot: name, rejected: turned, requests: turned + served, by_status: byStatus };
      }),
  };
}
