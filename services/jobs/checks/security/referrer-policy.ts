import { headerCheck } from './header-check.js';

export const referrerPolicy = headerCheck({
  id: 'referrer_policy',
  title: 'Other websites do not get full addresses',
  header: 'referrer-policy',
  // What a browser does anyway (strict-origin-when-cross-origin) is enough; the one that is not is named.
  holds: (value) => value.trim() !== '' && !/unsafe-url|no-referrer-when-downgrade/.test(value),
  why: 'Referrer-Policy is not set, or tells whole addresses, with what is in their parameters, to other websites.',
  advice: 'Send Referrer-Policy: strict-origin-when-cross-origin.',
});
