import type { SharedNetwork } from '../../../shared/crawlers/shared-networks.js';
import type { ClientCounts } from '../counts/span-counts.js';

/**
 * Warnings against blocking an address that an alert names, by its network. A block can hit other clients, so
 * there is a warning unless the address clearly belongs to a rented server. The kinds are those of the
 * recommendations.
 */

const caveats: Readonly<Record<SharedNetwork, string>> = {
  own_network:
    "The address is in the website's own network and is usually a proxy: all clients behind it have this address. Do not block it; configure the logs to contain the visitor's address.",
  search_crawler:
    'A search engine publishes the address as one of its crawlers: do not block it, or the website disappears from its results.',
  ai_operator: 'An operator of AI publishes the address as its own: blocking it blocks its agents, too.',
  known_service: 'A known service publishes the address as its own: blocking it blocks the service, too.',
  search_engine:
    "The address is in a search engine's network: services of the engine and of its customers come from there.",
  cdn: 'The address belongs to a content delivery network or a relay that many people share: blocking it blocks them, too.',
  carrier:
    'The address belongs to a mobile network in which thousands share one: blocking it blocks them, too.',
  anonymiser:
    'The address belongs to an anonymiser such as a Tor exit: many people share it, and a blocked client returns from another one.',
};

/** Words in the names of networks that rent out servers; compared case-insensitively. */
const HOSTING_WORDS = [
  ...['amazon', 'aws', 'google', 'microsoft', 'azure', 'oracle', 'alibaba', 'tencent', 'ovh', 'hetzner'],
  ...['digitalocean', 'linode', 'akamai connected', 'vultr', 'choopa', 'constant company', 'leaseweb'],
  ...['contabo', 'scaleway', 'hosting', 'server', 'datacenter', 'data center', 'cloud', 'vps', 'colo'],
  ...['m247', 'ionos', 'hostinger'],
];

/**
 * @param network null: no shared network is known
 * @returns the warning; '' if the address belongs to a rented server
 */
export function sharedNetworkCaveat(
  { asName, isPerson, probes, requests }: ClientCounts,
  network: SharedNetwork | null,
): string {
  if (network !== null) return caveats[network];
  const name = asName.toLowerCase();
  if (name !== '' && HOSTING_WORDS.some((word) => name.includes(word))) return '';
  // A browser's user agent does not count as a person if most of its requests are probes.
  const people = isPerson && probes * 2 < requests ? ' People use this one.' : '';
  return `The address is not known as a rented server's: several people may share it, and it may be somebody else's tomorrow.${people}`;
}

/** The name of the address in an alert. It starts with the warning if the address must not be blocked. */
export function addressName({ ip }: ClientCounts, network: SharedNetwork | null): string {
  if (network === 'own_network') return `Somebody behind ${ip}, which is in the website's own network,`;
  if (network === 'search_crawler') return `${ip}, which a search engine publishes for its crawlers,`;
  return ip;
}
