import type { ClientSignal } from '../../../shared/detection/signal.js';

/**
 * Whether others than the culprit may use an address. Where it isn't plainly a rented server, an alert says so: nobody should block an
 * address without knowing whom else that hits.
 */

/** Egress of iCloud Private Relay, WARP and corporate gateways: thousands of people behind an address. */
const RELAY_ASNS = new Set([13_335, 36_183, 54_113, 22_616, 62_044, 53_813]);

/** Words in the names of networks that rent out servers; compared without case. */
const HOSTING_WORDS = [
  ...['amazon', 'aws', 'google', 'microsoft', 'azure', 'oracle', 'alibaba', 'tencent', 'ovh', 'hetzner'],
  ...['digitalocean', 'linode', 'akamai connected', 'vultr', 'choopa', 'leaseweb', 'contabo', 'scaleway'],
  ...['hosting', 'server', 'datacenter', 'data center', 'cloud', 'vps', 'colo', 'm247', 'ionos', 'hostinger'],
];

/** @returns what to know before the address is blocked; '' where it is a rented server's */
export function sharedNetworkCaveat({ asn, asName, isPerson }: ClientSignal): string {
  if (RELAY_ASNS.has(asn)) {
    return 'The address belongs to a relay that many people share: blocking it blocks them, too.';
  }
  const name = asName.toLowerCase();
  if (name !== '' && HOSTING_WORDS.some((word) => name.includes(word))) return '';
  const people = isPerson ? ' People use this one.' : '';
  return `The address is not known as a rented server's: several people may share it, and it may be somebody else's tomorrow.${people}`;
}
