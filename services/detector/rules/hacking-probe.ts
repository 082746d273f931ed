import { SURE_PROBES } from '../counts/named-addresses.js';
import { findingsByAddress } from './by-address.js';
import { span } from './figures.js';
import { type Rule, TWO_OF_THREE } from './rule.js';

/**
 * An address that probes for vulnerabilities: configuration files, shells, logins of programs that may not be
 * installed.
 */
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
        `${who} asked ${probes} times in ${length} for paths that only attackers request, such as ${first?.samplePaths[0] ?? '?'}.`,
    });
    return findings.map((finding) => ({ ...finding, isSure: Number(finding.details.probes) >= SURE_PROBES }));
  },
};
