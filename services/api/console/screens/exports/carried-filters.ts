import {
  type Address,
  type FilterName,
  filterNames,
  periods,
  type RequestFilterName,
  requestFilterNames,
  windowOf,
} from '../../address.js';
import { range } from '../../format.js';
import { countriesText, filterText, VERIFIED_TEXT } from '../../parts/filter-text.js';
import type { ExportFilter, ExportType } from './export-types.js';

/** The part of the page’s address that an export takes. */
export interface CarriedFilters {
  /** Fields of the body of createExport. */
  readonly body: Readonly<Record<string, string | number>>;
  /** The window and the filters that the file applies, for people. */
  readonly applied: readonly string[];
  /** Filters of the page that the file does not apply. */
  readonly left: readonly string[];
}

interface Filter {
  /** null: no type of exports applies it. */
  readonly name: ExportFilter | null;
  readonly text: string;
  readonly body: Readonly<Record<string, string>>;
}

export function carriedFilters(address: Address, type: ExportType): CarriedFilters {
  const applies = ({ name }: Filter) => name !== null && type.filters.includes(name);
  const filters = filtersOf(address);
  const applied = filters.filter(applies);
  return {
    body: Object.assign(type.hasWindow ? windowOf(address.period) : {}, ...applied.map(({ body }) => body)),
    applied: [
      type.hasWindow ? windowText(address.period) : 'the current state',
      ...applied.map(({ text }) => text),
    ],
    left: filters.filter((filter) => !applies(filter)).map(({ text }) => text),
  };
}

function filtersOf({ filters, requestFilters, countries, verified, segment }: Address): Filter[] {
  const common = filterNames.flatMap((name) => filterOf(name, filters[name]));
  const ofRequests = requestFilterNames.flatMap((name) => filterOf(name, requestFilters[name]));
  return [
    ...common,
    ...ofRequests,
    ...(countries === null
      ? []
      : [{ name: 'countries' as const, text: countriesText(countries), body: { countries } }]),
    ...(verified ? [{ name: 'verified' as const, text: VERIFIED_TEXT, body: { filter: 'verified' } }] : []),
    ...(segment === null ? [] : [{ name: null, text: 'segment', body: {} }]),
  ];
}

function filterOf(name: FilterName | RequestFilterName, value: string | undefined): Filter[] {
  if (value === undefined) return [];
  const text = filterText(name, value);
  if (name === 'path') return [{ name, text, body: { path_filter: value } }];
  const isOfRequests = (requestFilterNames as readonly string[]).includes(name);
  return [{ name: isOfRequests ? null : (name as FilterName), text, body: { [name]: value } }];
}

/** `the last 7 days`, `Nov 25, 2026, 1:05 – 6:55 PM`. */
function windowText(period: Address['period']): string {
  if (period in periods) return `the last ${period.replace('h', ' hours').replace('d', ' days')}`;
  const [start = '', end = ''] = period.split('/');
  return range(Date.parse(start), Date.parse(end));
}
