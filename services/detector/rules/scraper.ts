import { findingsByAddress } from './by-address.js';
import { span } from './figures.js';
import { AT_ONCE, type Rule } from './rule.js';

/**
 * An address that fetches pages one by one, faster than people read and without the other files that a
 * browser fetches.
 */
export const scraper: Rule = {
  type: 'scraper',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find: (window, website) =>
    findingsByAddress(window, website, {
      // A scanner that tries a word list already has its alert.
      is: ({ isScraping, isProbing }) => isScraping && !isProbing,
      count: 'pages',
      sentence: (who, pages) => `${who} fetched ${pages} pages in ${span(window.end - window.start)}.`,
    }),
};
