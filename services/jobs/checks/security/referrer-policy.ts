import { headerCheck } from './header-check.js';

export const referrerPolicy = headerCheck({
  id: 'referrer_policy',
  title: 'Other websites do not get full addresses',
  header: 'referrer-policy',
  // The default of browsers (strict-origin-when-cross-origin) is enough, so only worse policies are reported.
  holds: (value) => value.trim() !== '' && !/unsafe-url|no-referrer-when-downgrade/.test(value),
  why: 'Referrer-Policy is not set, or sends full addresses, including their parameters, to other websites.',
  advice: 'Send Referrer-Policy: strict-origin-when-cross-origin.',
});
