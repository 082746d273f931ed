import { MINUTE_MS } from '../../../shared/durations.js';
import { findingsByAddress } from './by-address.js';
import { span } from './figures.js';
import { isProbing } from './probing-client.js';
import { AT_ONCE, type Rule } from './rule.js';
import { isScraping } from './scraping-client.js';

/** An address that takes the pages one by one, faster than anybody reads and without what a browser fetches besides. */
export const scraper: Rule = {
  type: 'scraper',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find({ counts, start, end }, website) {
    const minutes = (end - start) / MINUTE_MS;
    // A scanner that tries a word list has its alert already.
    const clients = counts.byClient.filter(
      (client) => isScraping(client, counts, minutes) && !isProbing(client, minutes),
    );
    return findingsByAddress(
      { clients, mayBeMore: counts.mayHaveMoreClients },
      website,
      'warning',
      ({ pages }) => pages,
      (who, pages) => `${who} fetched ${pages} pages in ${span(end - start)}.`,
    );
  },
};
