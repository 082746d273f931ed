import type { Severity } from '../../../shared/alerts/alert.js';
import type { ClientSignal } from '../../../shared/detection/signal.js';
import type { Finding } from './rule.js';
import { sharedNetworkCaveat } from './shared-network.js';
import { apartOrTogether } from './together.js';

const MOST_LISTED = 20;

/** Findings by address, for rules whose subject it is. @param sentence of one address, or of all together @param countOf what they are ranked by */
export function findingsByAddress(
  clients: readonly ClientSignal[],
  severity: Severity,
  countOf: (client: ClientSignal) => number,
  sentence: (who: string, count: number, clients: readonly ClientSignal[]) => string,
): readonly Finding[] {
  const ranked = clients.toSorted((a, b) => countOf(b) - countOf(a));
  const sum = (of: (client: ClientSignal) => number) =>
    ranked.reduce((total, client) => total + of(client), 0);
  return apartOrTogether(
    ranked,
    (client) => ({
      subject: client.ip,
      severity,
      message: sentence(client.ip, countOf(client), [client]),
      details: evidenceOf(client),
    }),
    () => ({
      severity,
      message: sentence(`${ranked.length} addresses`, sum(countOf), ranked),
      details: {
        addresses: ranked
          .slice(0, MOST_LISTED)
          .map(({ ip, country, asName }) => ({ ip, country, network: asName })),
        address_count: ranked.length,
        requests: sum(({ requests }) => requests),
        probes: sum(({ probes }) => probes),
        sample_user_agent: ranked[0]!.sampleUserAgent,
        sample_paths: [...new Set(ranked.flatMap(({ samplePaths }) => samplePaths))].slice(0, 10),
        ...withCaveat(ranked.map(sharedNetworkCaveat).find((caveat) => caveat !== '')),
      },
    }),
  );
}

function evidenceOf(client: ClientSignal): Readonly<Record<string, unknown>> {
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
    ...withCaveat(sharedNetworkCaveat(client)),
  };
}

const withCaveat = (caveat: string | undefined) => (caveat ? { caveat } : {});
