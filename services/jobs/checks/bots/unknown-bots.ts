import { percentOf } from '../../../../shared/reads/answer/figures.js';
import { defineCheck, pass, unknown, warn } from '../facts/check.js';

const LEAST = 200;
const WARN_PCT = 30;

export const unknownBotsCheck = defineCheck({
  id: 'unknown_bots',
  title: 'Bots belong to known operators',
  category: 'bots',
  weight: 2,
  needs: ['logs'],
  judge({ logs: { botRequests, unknownBotRequests, namelessRequests } }) {
    if (botRequests < LEAST)
      return unknown(`Bots made fewer than ${LEAST} requests in seven days.`, { bot_requests: botRequests });
    const share = percentOf(unknownBotRequests + namelessRequests, botRequests);
    const seen = {
      bot_requests: botRequests,
      unknown_bot_requests: unknownBotRequests,
      nameless_requests: namelessRequests,
      unknown_pct: share,
    };
    const note = `${share} % of the requests of bots in seven days come from unknown operators.`;
    if (share < WARN_PCT) return pass(note, seen);
    return warn(
      `${note} /bots/unknown lists them by name and network: allow useful bots, and limit the others.`,
      seen,
    );
  },
});
