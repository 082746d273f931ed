import { findingsByAddress } from './by-address.js';
import { span } from './figures.js';
import { type Rule, TWO_OF_THREE } from './rule.js';

/**
 * So many at once don't wait. Less in one go is the background of any website: addresses that try a list of twenty names within seconds
 * and never come back. A shop of 60,000 requests a day has some forty of them with 15 probes or more; one or two a day try 150.
 */
const SURE_PROBES = 150;

/** An address that looks for holes: configuration files, shells, log-ins of programs that may not even be installed. */
export const hackingProbe: Rule = {
  type: 'hacking_probe',
  persistence: TWO_OF_THREE,
  inhibitedBy: [],
  find(window, website) {
    const length = span(window.end - window.start);
    const findings = findingsByAddress(window, website, {
      is: ({ isProbing }) => isProbing,
      count: 'probes',
      sentence: (who, probes, [first]) =>
        `${who} asked ${probes} times in ${length} for what only an attacker looks for, such as ${first?.samplePaths[0] ?? '?'}.`,
    });
    return findings.map((finding) => ({ ...finding, isSure: Number(finding.details.probes) >= SURE_PROBES }));
  },
};
