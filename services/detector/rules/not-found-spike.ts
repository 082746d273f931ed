import { type Rule, TWO_OF_THREE } from './rule.js';
import { findShareSpike } from './share-spike.js';

/** Missing pages: a broken link, or a moved section. Requests of scanners do not count. */
export const notFoundSpike: Rule = {
  type: 'not_found_spike',
  persistence: TWO_OF_THREE,
  inhibitedBy: ['log_silence'],
  find: (window, website) =>
    findShareSpike(window, website, {
      part: 'notFound',
      leastCount: 6,
      leastShare: 0.05,
      what: 'were for pages that are not found',
      severity: 'warning',
      isEvidence: (status) => status === 404,
    }),
};
