import { defineCheck, fail, pass, warn } from '../facts/check.js';
import { evidenceOf, isRead, notAnswered } from '../facts/retrievals.js';

/** The thresholds of web.dev for good and poor. */
const GOOD_MS = 800;
const POOR_MS = 1_800;

export const timeToFirstByte = defineCheck({
  id: 'time_to_first_byte',
  title: 'The home page starts to arrive fast',
  category: 'speed',
  weight: 4,
  needs: ['home'],
  judge({ home }) {
    if (!isRead(home)) return notAnswered('The home page', home);
    const seen = { ...evidenceOf(home), milliseconds: Math.round(home.headMs) };
    const note = `It took ${seen.milliseconds} ms until the home page began to arrive, redirects included.`;
    const notes = ['Measured once, from where Loglane runs.'];
    if (home.headMs > POOR_MS) return fail(`${note} More than ${POOR_MS} ms is poor.`, { ...seen, notes });
    if (home.headMs > GOOD_MS) return warn(`${note} Up to ${GOOD_MS} ms is good.`, { ...seen, notes });
    return pass(note, { ...seen, notes });
  },
});
