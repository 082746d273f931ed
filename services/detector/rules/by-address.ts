import type { Severity } from '../../../shared/alerts/alert.js';
import type { SharedNetwork } from '../../../shared/crawlers/shared-networks.js';
import type { ClientCounts } from '../counts/span-counts.js';
import { atLeast } from './figures.js';
import type { Finding, WebsiteView } from './rule.js';
import { addressName, sharedNetworkCaveat } from './shared-network.js';
import { apartOrTogether } from './together.js';

const MOST_LISTED = 20;

/** Addresses that a rule names. `mayBeMore`: the list that they are of is full. */
export interface NamedClients {
  readonly clients: readonly ClientCounts[];
  readonly mayBeMore: boolean;
}

/** Findings by address, for rules whose subject it is. @param sentence of one address, or of all together @param countOf what they are ranked by */
export function findingsByAddress(
  { clients, mayBeMore }: NamedClients,
  { networkOf }: Pick<WebsiteView, 'networkOf'>,
  severity: Severity,
  countOf: (client: ClientCounts) => number,
  sentence: (who: string, count: string, clients: readonly ClientCounts[]) => string,
): readonly Finding[] {
  const ranked = clients.toSorted((a, b) => countOf(b) - countOf(a));
  const sum = (of: (client: ClientCounts) => number) =>
    ranked.reduce((total, client) => total + of(client), 0);
  return apartOrTogether(
    ranked,
    (client) => ({
      subject: client.ip,
      severity,
      message: sentence(addressName(client, networkOf(client)), `${countOf(client)}`, [client]),
      details: evidenceOf(client, networkOf(client)),
    }),
    () => ({
      severity,
      message: sentence(
        `${atLeast(ranked.length, mayBeMore)} addresses`,
        atLeast(sum(countOf), mayBeMore),
        ranked,
      ),
      details: {
        addresses: ranked.slice(0, MOST_LISTED).map((client) => {
          const { ip, country, asName } = client;
          return { ip, country, network: asName, ...sharedNetwork(networkOf(client)) };
        }),
        address_count: ranked.length,
        ...(mayBeMore && { address_count_at_least: true }),
        requests: sum(({ requests }) => requests),
        probes: sum(({ probes }) => probes),
        sample_user_agent: ranked[0]!.sampleUserAgent,
        sample_paths: [...new Set(ranked.flatMap(({ samplePaths }) => samplePaths))].slice(0, 10),
        ...withCaveats(ranked.map((client) => sharedNetworkCaveat(client, networkOf(client)))),
      },
    }),
  );
}

function evidenceOf(client: ClientCounts, network: SharedNetwork | null): Readonly<Record<string, unknown>> {
  return {
    ip: client.ip,
    country: client.country,
    network: client.asName,
    asn: client.asn,
    requests: client.requests,
    pages: client.pages,
    probes: client.probes,
    not_found: client.notFound,
    rejected: client.rejected,
    claimed_bot: client.botName,
    sample_user_agent: client.sampleUserAgent,
    sample_paths: client.samplePaths,
    ...sharedNetwork(network),
    ...withCaveats([sharedNetworkCaveat(client, network)]),
  };
}

/** As the badges of recommendations call it. */
const sharedNetwork = (network: SharedNetwork | null) =>
  network === null ? {} : { shared_network: network };

/** Each once: there are as many as kinds of networks, at most. */
function withCaveats(caveats: readonly string[]) {
  const caveat = [...new Set(caveats)].filter((one) => one !== '').join(' ');
  return caveat === '' ? {} : { caveat };
}
