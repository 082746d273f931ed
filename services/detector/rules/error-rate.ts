import { type Rule, TWO_OF_THREE } from './rule.js';
import { findShareSpike } from './share-spike.js';

/** Errors of all kinds, where neither the server's nor pages not found stand out by themselves: refusals, bad requests, a bit of each. */
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
