import type { AsnTable } from '../../shared/location/asn-table.js';
import { parseAddress } from '../../shared/requests/address.js';

/** Number of the autonomous system that announces the address; null: unknown. */
export type AsnOf = (address: string) => number | null;

/** `open` is called on the first lookup, so a process without lookups does not load the table. */
export function createAsnLookup(open: () => AsnTable): AsnOf {
  let table: AsnTable | undefined;
  return (address) => {
    table ??= open();
    return table.networkOf(parseAddress(address))?.asn ?? null;
  };
}
