import { parseAddress } from '../requests/address.js';
import { type AddressRanges, containsAddress } from './address-ranges.js';
import { byLists, type RangeHistory, rangesOf } from './dated-ranges.js';
import type { Feed } from './table-schema.js';

/**
 * The AI operator whose crawlers, fetchers or agents alone used an address at a time (milliseconds since the epoch);
 * '': none. A browser's user agent from such an address is an undeclared agent.
 */
export type AgentOperatorOf = (clientIp: string, at: number) => string;

/**
 * @param feeds only those with `agents_only` are used: addresses through which nobody browses.
 * @throws Error if such a feed has no snapshot.
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
    // Fast path: nearly every address is a person's.
    if (!containsAddress(all, address)) return '';
    return ofOperators.find(([, ranges]) => containsAddress(ranges, address))?.[0] ?? '';
  };
}
