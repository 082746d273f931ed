import { kindsOf } from '../counts/named-addresses.js';
import type { SpanCounts } from '../counts/span-counts.js';

/**
 * Evidence for a spike: requests of people and of bots, and the addresses, bots and paths with most requests.
 * Addresses with their own alert are excluded.
 * @param minutes length of the span
 */
export function busiestOf(counts: SpanCounts, minutes: number): Readonly<Record<string, unknown>> {
  const first = <Entry extends { readonly requests: number }>(entries: readonly Entry[]) =>
    entries.toSorted((a, b) => b.requests - a.requests).slice(0, 3);
  const others = counts.byClient.filter((client) => {
    const { isScanning, isScraping, isFailing } = kindsOf(client, minutes);
    return !isScanning && !isScraping && !isFailing;
  });
  return {
    people: counts.people,
    bots: counts.bots,
    busiest_addresses: first(others).map(({ ip, asName, sampleUserAgent, samplePaths, requests }) => ({
      ...{ ip, network: asName, user_agent: sampleUserAgent, paths: samplePaths, requests },
    })),
    busiest_bots: first(counts.byBot).map(({ name, operator, sampleUserAgent, requests }) => ({
      ...{ name: name || operator, user_agent: sampleUserAgent, requests },
    })),
    busiest_paths: first(counts.paths),
  };
}
