import { type Rule, TWO_OF_THREE } from './rule.js';
import { findShareSpike } from './share-spike.js';

/** Server errors: the website or a part of it is down. */
export const errorSpike5xx: Rule = {
  type: 'error_spike_5xx',
  persistence: TWO_OF_THREE,
  inhibitedBy: ['log_silence'],
  find: (window, website) =>
    findShareSpike(window, website, {
      part: 'status5xx',
      leastCount: 6,
      leastShare: 0.05,
      what: 'ended with an error of the server',
      severity: 'critical',
      isEvidence: (status) => status >= 500,
    }),
};
