import { SURE_PROBES } from '../counts/named-addresses.js';
import { findingsByAddress } from './by-address.js';
import { span } from './figures.js';
import { type Rule, TWO_OF_THREE } from './rule.js';

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
