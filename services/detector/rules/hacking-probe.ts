import { MINUTE_MS } from '../../../shared/durations.js';
import { findingsByAddress } from './by-address.js';
import { span } from './figures.js';
import { isProbing } from './probing-client.js';
import { AT_ONCE, type Rule } from './rule.js';

/** An address that looks for holes: configuration files, shells, log-ins of programs that may not even be installed. */
export const hackingProbe: Rule = {
  type: 'hacking_probe',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find({ counts, start, end }) {
    const probing = counts.byClient.filter((client) => isProbing(client, (end - start) / MINUTE_MS));
    return findingsByAddress(
      probing,
      'warning',
      ({ probes }) => probes,
      (who, probes, [first]) =>
        `${who} asked ${probes} times in ${span(end - start)} for what only an attacker looks for, such as ${first?.samplePaths[0] ?? '?'}.`,
    );
  },
};
