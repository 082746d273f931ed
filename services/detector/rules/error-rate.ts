import { type Rule, TWO_OF_THREE } from './rule.js';
import { findShareSpike } from './share-spike.js';

/**
 * Errors of all kinds, if neither server errors nor pages not found have their own alert: refusals, bad
 * requests, or a mixture.
 */
export const errorRate: Rule = {
  type: 'error_rate',
  persistence: TWO_OF_THREE,
  inhibitedBy: ['log_silence', 'error_spike_5xx', 'not_found_spike'],
  find: (window, website) =>
    findShareSpike(window, website, {
      part: 'errors',
      leastCount: 6,
      leastShare: 0.08,
      what: 'ended with an error',
      severity: 'warning',
      isEvidence: (status) => status >= 400 && status < 600,
    }),
};
