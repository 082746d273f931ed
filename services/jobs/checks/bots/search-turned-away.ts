import { defineCheck, fail, pass, unknown, warn } from '../check.js';
import { accessOf } from './turned-away.js';

const LEAST = 20;
const WARN_PCT = 1;
const FAIL_PCT = 10;

export const searchTurnedAway = defineCheck({
  id: 'search_turned_away',
  title: 'Real search crawlers are let in',
  category: 'bots',
  weight: 10,
  needs: ['logs'],
  judge({ logs }) {
    const { requests, rejected, sharePct, bots } = accessOf(logs.access, 'search');
    if (requests < LEAST)
      return unknown(`Fewer than ${LEAST} requests of proved search crawlers were answered in seven days.`, {
        requests,
      });
    const seen = { requests, rejected, rejected_pct: sharePct };
    const note = `${rejected} of ${requests} requests of proved search crawlers (${sharePct} %) were turned away (401, 403, 429, 451) in seven days.`;
    const why =
      'A firewall or a limit of rates takes them for impostors. Let their published addresses pass.';
    if (sharePct >= FAIL_PCT) return fail(`${note} ${why}`, { ...seen, bots });
    return sharePct >= WARN_PCT ? warn(`${note} ${why}`, { ...seen, bots }) : pass(note, seen);
  },
});
