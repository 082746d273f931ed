import type { ClientCounts, SpanCounts } from '../counts/span-counts.js';

/** Evidence of alerts about errors. */

/**
 * The clients that were refused (401, 402, 403, 429, 451), most refusals first: bots by name, and addresses
 * without a bot claim.
 */
export function refusedOf({ byBot, byClient }: SpanCounts): readonly Readonly<Record<string, unknown>>[] {
  const bots = byBot.map(({ name, operator, verification, sampleUserAgent, requests, rejected }) => ({
    ...{ bot: name || operator, verification, user_agent: sampleUserAgent, requests, rejected },
  }));
  const clients = byClient
    .filter(({ botName }) => botName === '')
    .map(({ ip, asName, sampleUserAgent, samplePaths, requests, rejected }) => ({
      ...{ ip, network: asName, user_agent: sampleUserAgent, paths: samplePaths, requests, rejected },
    }));
  return [...bots, ...clients]
    .filter(({ rejected }) => rejected > 0)
    .sort((a, b) => b.rejected - a.rejected)
    .slice(0, 5);
}

/** The addresses with most of these failures. */
export function failedAddresses(
  { byClient }: SpanCounts,
  failuresOf: (client: ClientCounts) => number,
): readonly Readonly<Record<string, unknown>>[] {
  return byClient
    .map((client) => ({ client, failures: failuresOf(client) }))
    .filter(({ failures }) => failures > 0)
    .sort((a, b) => b.failures - a.failures)
    .slice(0, 3)
    .map(({ client: { ip, asName, sampleUserAgent, samplePaths, requests }, failures }) => ({
      ...{ ip, network: asName, user_agent: sampleUserAgent, paths: samplePaths, requests, failures },
    }));
}
