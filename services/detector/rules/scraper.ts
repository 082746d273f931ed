import { findingsByAddress } from './by-address.js';
import { span } from './figures.js';
import { AT_ONCE, type Rule } from './rule.js';

/** An address that takes the pages one by one, faster than anybody reads and without what a browser fetches besides. */
export const scraper: Rule = {
  type: 'scraper',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find: (window, website) =>
    findingsByAddress(window, website, {
      // A scanner that tries a word list has its alert already.
      is: ({ isScraping, isProbing }) => isScraping && !isProbing,
      count: 'pages',
      sentence: (who, pages) => `${who} fetched ${pages} pages in ${span(window.end - window.start)}.`,
    }),
};
