import { LRUCache } from 'lru-cache';
import type { AsnTable } from '../../../shared/location/asn-table.js';
import type { FindPlace } from '../../../shared/location/open-databases.js';
import type { Place } from '../../../shared/location/place-table.js';
import { parseAddress } from '../../../shared/requests/address.js';

export interface Location extends Place {
  /** 0: unknown. */
  readonly asn: number;
  readonly as_name: string;
}

export interface LocateDependencies {
  readonly findPlace: FindPlace;
  readonly asnTable: AsnTable;
  /** Addresses whose location is cached. */
  readonly cacheSize: number;
}

/**
 * The location of a client. The source's country and network have precedence: a CDN sees the connection,
 * while the databases estimate. The database's region and city are used only if its country is the same.
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

/** CDNs write XX for an unknown country and T1 for Tor, which are not countries. */
function namesCountry(code: string): boolean {
  return code !== '' && code !== 'XX' && code !== 'T1';
}
