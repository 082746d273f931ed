import type { SharedNetwork } from '../../../shared/crawlers/shared-networks.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import { kindsOf, namedAddresses } from '../counts/named-addresses.js';
import { type AddressKinds, type ClientCounts, earliestAndLatest } from '../counts/span-counts.js';
import type { Finding, Times, WebsiteView, WindowView } from './rule.js';
import { addressName, sharedNetworkCaveat } from './shared-network.js';
import { apartOrTogether } from './together.js';

const MOST_LISTED = 20;

/** A rule whose subject is an address. */
export interface AddressRule {
  is(kinds: AddressKinds): boolean;
  /** The count by which addresses are ranked. */
  readonly count: 'probes' | 'pages';
  /** The message for one address, or for several together. */
  sentence(who: string, count: number, clients: readonly ClientCounts[]): string;
  /** Further details of the alert for these addresses. */
  details?(clients: readonly ClientCounts[]): Readonly<Record<string, unknown>>;
}

/** Counts over all addresses of the kind, and evidence for the listed ones. */
export function findingsByAddress(
  { counts, start, end }: WindowView,
  { networkOf }: Pick<WebsiteView, 'networkOf'>,
  { is, count, sentence, details = () => ({}) }: AddressRule,
): readonly Finding[] {
  const minutes = (end - start) / MINUTE_MS;
  const all = namedAddresses(counts, minutes).filter(is);
  const ranked = counts.byClient
    .filter((client) => is(kindsOf(client, minutes)))
    .sort((a, b) => b[count] - a[count]);
  const sum = (of: 'addresses' | 'requests' | 'probes' | 'pages') =>
    all.reduce((total, some) => total + some[of], 0);
  const severity = 'warning';
  return apartOrTogether(
    ranked,
    (client) => ({
      subject: client.ip,
      severity,
      message: sentence(addressName(client, networkOf(client)), client[count], [client]),
      details: { ...evidenceOf(client, networkOf(client)), ...details([client]) },
      times: timesOf(({ ip }) => ip === client.ip),
    }),
    () => ({
      severity,
      message: sentence(`${sum('addresses')} addresses`, sum(count), ranked),
      details: {
        addresses: ranked.slice(0, MOST_LISTED).map((client) => {
          const { ip, country, asName, requests, sampleUserAgent } = client;
          const who = { ip, country, network: asName, user_agent: sampleUserAgent, requests };
          return { ...who, ...sharedNetwork(networkOf(client)) };
        }),
        address_count: sum('addresses'),
        requests: sum('requests'),
        probes: sum('probes'),
        sample_user_agent: ranked[0]?.sampleUserAgent ?? '',
        sample_paths: [...new Set(ranked.flatMap(({ samplePaths }) => samplePaths))].slice(0, 10),
        ...details(ranked),
        ...withCaveats(ranked.map((client) => sharedNetworkCaveat(client, networkOf(client)))),
      },
      times: timesOf((client) => is(kindsOf(client, minutes))),
    }),
    sum('addresses'),
  );
}

const timesOf = (isMeant: (client: ClientCounts) => boolean): Times => ({
  lists: 'named',
  in: ({ byClient }) => earliestAndLatest(byClient.filter(isMeant).map(({ at }) => at)),
});

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

/** With the name that the badges of recommendations use. */
const sharedNetwork = (network: SharedNetwork | null) =>
  network === null ? {} : { shared_network: network };

/** The caveats without repeats, at most one for each kind of network. */
function withCaveats(caveats: readonly string[]) {
  const caveat = [...new Set(caveats)].filter((one) => one !== '').join(' ');
  return caveat === '' ? {} : { caveat };
}
