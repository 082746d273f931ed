import { kindsOf } from '../counts/named-addresses.js';
import type { SpanCounts } from '../counts/span-counts.js';

/**
 * Who makes a website's traffic in a span: how much of it people and bots, and as evidence the addresses, bots and paths with most requests.
 * Addresses that have an alert of their own are left out. @param minutes length of the span
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
