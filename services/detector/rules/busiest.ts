import type { SpanCounts } from '../counts/span-counts.js';

/** Who makes a website's traffic in a span: how much of it people and bots, and the addresses and bots with most requests, as evidence. */
export function busiestOf({ people, bots, byClient, byBot }: SpanCounts): Readonly<Record<string, unknown>> {
  const first = <Entry extends { readonly requests: number }>(entries: readonly Entry[]) =>
    entries.toSorted((a, b) => b.requests - a.requests).slice(0, 3);
  return {
    people,
    bots,
    busiest_addresses: first(byClient).map(({ ip, asName, sampleUserAgent, samplePaths, requests }) => ({
      ...{ ip, network: asName, user_agent: sampleUserAgent, paths: samplePaths, requests },
    })),
    busiest_bots: first(byBot).map(({ name, operator, requests }) => ({ name: name || operator, requests })),
  };
}
