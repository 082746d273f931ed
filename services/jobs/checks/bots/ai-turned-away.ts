import { defineCheck, notApplicable, pass, unknown, warn } from '../facts/check.js';
import { accessOf, refusedText } from './turned-away.js';

const LEAST = 10;

export const aiTurnedAway = defineCheck({
  id: 'ai_turned_away',
  title: 'Verified AI crawlers are allowed',
  category: 'bots',
  weight: 4,
  needs: ['logs'],
  judge({ logs }) {
    const { requests, rejected, sharePct, charged, refused, bots } = accessOf(logs.access, 'ai', LEAST);
    const seen = { requests, rejected, rejected_pct: sharePct, payment_required: charged };
    if (requests + charged < LEAST) {
      const unproved = logs.claims
        .filter(({ category }) => category === 'ai')
        .reduce((sum, { undecided }) => sum + undecided, 0);
      if (unproved >= LEAST)
        return unknown(
          `Hardly any AI crawler was verified in seven days. ${unproved} requests claim to be from one, but are not verified.`,
          { ...seen, unproved_requests: unproved, outcome: 'unconfirmed' },
        );
      return notApplicable('Hardly any verified AI crawler came in seven days.', seen);
    }
    if (refused.length === 0)
      return pass(
        `No verified AI crawler was turned away in seven days. ${rejected} of ${requests} requests (${sharePct} %) were rejected.`,
        { ...seen, bots },
      );
    return warn(
      `${refusedText(refused)} Each crawler is judged by its verified requests of seven days. Assistants cannot cite pages that they cannot read. If you block these crawlers on purpose, nothing needs to change. CDNs often block them by default.`,
      { ...seen, bots },
    );
  },
});
