import { type Rule, TWO_OF_THREE } from './rule.js';
import { findShareSpike } from './share-spike.js';

/** Pages that are gone: a broken link, a moved section. What scanners ask for is not counted. */
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
