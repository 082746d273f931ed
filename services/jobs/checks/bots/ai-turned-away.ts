import { defineCheck, notApplicable, pass, warn } from '../check.js';
import { accessOf } from './turned-away.js';

const LEAST = 10;
const WARN_PCT = 10;

export const aiTurnedAway = defineCheck({
  id: 'ai_turned_away',
  title: 'Real AI crawlers are let in',
  category: 'bots',
  weight: 4,
  needs: ['logs'],
  judge({ logs }) {
    const { requests, rejected, sharePct, bots } = accessOf(logs.access, 'ai');
    if (requests < LEAST)
      return notApplicable('Hardly any proved AI crawler came in seven days.', { requests });
    const seen = { requests, rejected, rejected_pct: sharePct };
    const note = `${rejected} of ${requests} requests of proved AI crawlers (${sharePct} %) were turned away in seven days.`;
    if (sharePct < WARN_PCT) return pass(note, seen);
    return warn(
      `${note} What they can not read no assistant names. Leave it if that is what you want; CDNs do it unasked.`,
      {
        ...seen,
        bots,
      },
    );
  },
});
