import type { FilterName, RequestFilterName } from '../address.js';
import { countryName } from '../format.js';

const titles: ReadonlyMap<FilterName | RequestFilterName, string> = new Map([
  ['path', 'path contains'],
  ['client_ip', 'address'],
  ['user_agent', 'user agent contains'],
  ['params_filter', 'query string'],
]);

/** A filter for people: `status: 404`. */
export function filterText(name: FilterName | RequestFilterName, value: string): string {
  if (name === 'is_bot') return value === 'true' ? 'bots' : 'people';
  return `${titles.get(name) ?? name.replaceAll('_', ' ')}: ${value}`;
}

/** @param codes separated by commas. */
export function countriesText(codes: string): string {
  return `country: ${codes.split(',').map(countryName).join(', ')}`;
}

export const VERIFIED_TEXT = 'bots: verified only';
