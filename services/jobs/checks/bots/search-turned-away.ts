import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import { unlessProved } from '../facts/unproved-crawl.js';
import { accessOf, isShutOut, refusedText } from './turned-away.js';

const LEAST = 20;
const WARN_PCT = 1;
const FAIL_PCT = 10;

export const searchTurnedAway = defineCheck({
  id: 'search_turned_away',
  title: 'Verified search crawlers are allowed',
  category: 'bots',
  weight: 10,
  needs: ['logs'],
  judge({ logs }) {
    const { requests, rejected, sharePct, charged, refused, bots } = accessOf(logs.access, 'search', LEAST);
    const seen = { requests, rejected, rejected_pct: sharePct, payment_required: charged };
    if (requests < LEAST)
      return (
        unlessProved(logs.crawl) ??
        unknown(`Fewer than ${LEAST} requests of verified search crawlers were answered in seven days.`, seen)
      );
    const share = `${rejected} of ${requests} requests of verified search crawlers (${sharePct} %) were turned away (401, 403, 429, 451) in seven days.`;
    const note = refused.length === 0 ? share : `${share} ${refusedText(refused)}`;
    const why = 'A firewall or a rate limit treats them as impostors. Allow their published addresses.';
    const shown = { ...seen, bots };
    if (sharePct >= FAIL_PCT || refused.some(isShutOut)) return fail(`${note} ${why}`, shown);
    if (sharePct >= WARN_PCT || refused.length > 0) return warn(`${note} ${why}`, shown);
    return unlessProved(logs.crawl) ?? pass(note, shown);
  },
});
