import { DAY_MS } from '../../../../shared/durations.js';
import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import { evidenceOf } from '../facts/retrievals.js';

/** Certificates of 90 days are renewed with 30 days left, those of 47 with 15. With fewer days left, the renewal is late. */
const WARN_DAYS = 14;
const FAIL_DAYS = 5;

export const certificateDays = defineCheck({
  id: 'certificate_days',
  title: 'The certificate is renewed in time',
  category: 'addresses',
  weight: 8,
  needs: ['home', 'now'],
  judge({ home, now }) {
    if (home.certificateUntil === null)
      return unknown('The end of the certificate is unknown.', {
        ...evidenceOf(home),
        outcome: 'unconfirmed',
      });
    const days = Math.floor((home.certificateUntil - now) / DAY_MS);
    const seen = {
      ...evidenceOf(home),
      days_left: days,
      valid_until: new Date(home.certificateUntil).toISOString(),
    };
    const note = `The certificate ends in ${days} days.`;
    if (days < FAIL_DAYS)
      return fail(`${note} After that, browsers warn people not to visit the website.`, seen);
    if (days < WARN_DAYS) return warn(`${note} It should have been renewed already.`, seen);
    return pass(note, seen);
  },
});
