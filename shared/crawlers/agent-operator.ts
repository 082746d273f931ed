import { parseAddress } from '../requests/address.js';
import { type AddressRanges, holds } from './address-ranges.js';
import { byLists, type RangeHistory, rangesOf } from './dated-ranges.js';
import type { Feed } from './table-schema.js';

/**
 * The AI operator whose crawlers, fetchers or agents alone used an address at a moment (milliseconds since the epoch); '' for
 * none. Where such an address shows a browser's user agent, it is an agent that does not say so.
 */
export type AgentOperatorOf = (clientIp: string, at: number) => string;

/**
 * @param feeds those with `agents_only` count: lists of addresses that nobody browses through.
 * @throws Error where such a feed has no snapshot.
 */
export function createAgentOperatorOf(feeds: readonly Feed[], history: RangeHistory): AgentOperatorOf {
  const counting = feeds.filter(({ agents_only }) => agents_only);
  const at = byLists(counting, history, (current) => ({
    all: rangesOf(current),
    ofOperators: current.map((list, index): [string, AddressRanges] => [
      counting[index]!.operator,
      rangesOf([list]),
    ]),
  }));
  return (clientIp, moment) => {
    const { all, ofOperators } = at(moment);
    const address = parseAddress(clientIp);
    // Nearly every address is a person's: one look at all lists together says so.
    if (!holds(all, address)) return '';
    return ofOperators.find(([, ranges]) => holds(ranges, address))?.[0] ?? '';
  };
}
