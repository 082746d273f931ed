import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type AsnTable, asnTableOf, readNetworks } from '../../../shared/location/asn-table.js';

/** For tests: the table from the texts of these two files. */
export function asnTableFrom(ipv4: string, ipv6: string): AsnTable {
  const folder = mkdtempSync(`${tmpdir()}/loglane-asn-`);
  try {
    writeFileSync(`${folder}/4.csv`, ipv4);
    writeFileSync(`${folder}/6.csv`, ipv6);
    return asnTableOf(readNetworks(`${folder}/4.csv`, `${folder}/6.csv`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
