import { useLocation } from 'preact-iso';

/**
 * The address contains the state of a screen, so that a link shows the same picture to a colleague: website, window, comparison,
 * segment, countries, verified only, and the filters of the API.
 */

/** Filters that a click on a row sets; each is a parameter of the API. */
export const filterNames = [
  'bot',
  'bot_family',
  'status',
  'status_category',
  'host',
  'file_type',
  'params_filter',
  'directory',
] as const;

/** Filters of single requests: the search and exports of them know these, other screens do not. */
export const requestFilterNames = ['path', 'client_ip', 'user_agent', 'method', 'is_bot'] as const;
export type RequestFilterName = (typeof requestFilterNames)[number];
export type FilterName = (typeof filterNames)[number];
/** Names of the same filters in addresses and answers of single requests. */
const sameFilters: ReadonlyMap<string, string> = new Map([
  ['bot_name', 'bot'],
  ['country', 'countries'],
]);
const screensOfRequests: readonly string[] = ['requests', 'exports'];

export const periods = { '24h': 24, '7d': 168, '30d': 720, '90d': 2160 } as const;
export type PeriodName = keyof typeof periods;

export interface Address {
  /** Path of the screen without a leading slash: `ai`; empty: the overview. */
  readonly screen: string;
  readonly website: string | null;
  /** A rolling window, or `start/end` in ISO 8601. */
  readonly period: PeriodName | `${string}/${string}`;
  /** The window for comparison: the one before, the same one a week earlier, or none. */
  readonly compare: 'previous' | 'week' | 'none';
  readonly segment: string | null;
  readonly countries: string | null;
  readonly verified: boolean;
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** Only on screens of single requests. */
  readonly requestFilters: Readonly<Partial<Record<RequestFilterName, string>>>;
  /** Everything else, such as the path of a page or the tab of a screen. */
  readonly rest: Readonly<Record<string, string>>;
}

export const DEFAULT_PERIOD: PeriodName = '7d';
const own = new Set(['site', 'period', 'compare', 'segment', 'countries', 'verified']);

/** @param path below the console's base; @param query by name. */
function readAddress(path: string, given: Readonly<Record<string, string>>): Address {
  const screen = path.replace(/^\/+|\/+$/g, '');
  const query: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [sameFilters.get(name) ?? name, value]),
  );
  const ofRequests = screensOfRequests.includes(screen);
  const isOfRequest = (name: string) =>
    ofRequests && (requestFilterNames as readonly string[]).includes(name);
  const { site, period, compare, segment, countries, verified } = query;
  const isFilter = (name: string): name is FilterName => (filterNames as readonly string[]).includes(name);
  const entries = Object.entries(query);
  return {
    screen,
    website: site ?? null,
    period: isPeriod(period) ? period : DEFAULT_PERIOD,
    compare: compare === 'week' || compare === 'none' ? compare : 'previous',
    segment: segment ?? null,
    countries: countries ?? null,
    verified: verified === '1',
    filters: Object.fromEntries(entries.filter(([name]) => isFilter(name))),
    requestFilters: Object.fromEntries(entries.filter(([name]) => isOfRequest(name))),
    rest: Object.fromEntries(
      entries.filter(([name]) => !isFilter(name) && !own.has(name) && !isOfRequest(name)),
    ),
  };
}

function isPeriod(text: string | undefined): text is Address['period'] {
  return text !== undefined && (Object.hasOwn(periods, text) || /^[^/]{10,30}\/[^/]{10,30}$/.test(text));
}

/** The link to an address, below the console's base. @param isWhole defaults are written too, for a reader with other defaults. */
function writeAddress(address: Address, isWhole = false): string {
  const query = new URLSearchParams();
  if (address.website !== null) query.set('site', address.website);
  if (isWhole || address.period !== DEFAULT_PERIOD) query.set('period', address.period);
  if (isWhole || address.compare !== 'previous') query.set('compare', address.compare);
  if (address.segment !== null) query.set('segment', address.segment);
  if (address.countries !== null) query.set('countries', address.countries);
  if (address.verified) query.set('verified', '1');
  const { filters, requestFilters, rest } = address;
  for (const [name, value] of Object.entries({ ...filters, ...requestFilters, ...rest }))
    query.set(name, value);
  const text = query.toString();
  return `${basePath()}${address.screen}${text === '' ? '' : `?${text}`}`;
}

/** The path that the console is served below, with its slash: `/`. */
export function basePath(): string {
  return new URL(document.baseURI).pathname;
}

export interface Navigation {
  readonly address: Address;
  /** A link with some parts changed. A change of screen drops `rest`, and filters of requests on other screens. */
  readonly link: (changes: Partial<Address>) => string;
  /** The same picture for another reader: every default is written. */
  readonly wholeLink: (changes: Partial<Address>) => string;
  readonly go: (changes: Partial<Address>) => void;
  /** Adds the filter, or removes it where it is set to this value. */
  readonly toggleFilter: (name: FilterName, value: string) => void;
}

export function useAddress(): Navigation {
  const { path, query, route } = useLocation();
  const below = path.startsWith(basePath()) ? path.slice(basePath().length) : path;
  const address = readAddress(below, query);
  const link = (changes: Partial<Address>) => {
    const { screen = address.screen } = changes;
    const movesOn = screen !== address.screen;
    const keeps = screensOfRequests.includes(screen);
    return writeAddress({
      ...address,
      ...(movesOn ? { rest: {} } : {}),
      ...(keeps ? {} : { requestFilters: {} }),
      ...changes,
    });
  };
  const wholeLink = (changes: Partial<Address>) => writeAddress({ ...address, ...changes }, true);
  const go = (changes: Partial<Address>) => route(link(changes));
  return {
    address,
    link,
    wholeLink,
    go,
    toggleFilter(name, value) {
      const { [name]: set, ...others } = address.filters;
      go({ filters: set === value ? others : { ...others, [name]: value } });
    },
  };
}

/** The address's part in the parameters of an API call. */
export function scopeOf(address: Address): Record<string, string | number | undefined> {
  return {
    ...windowOf(address.period),
    segment: address.segment ?? undefined,
    countries: address.countries ?? undefined,
    // People claim nothing that could be proved: they stay.
    without_unproved: address.verified ? 'true' : undefined,
    ...address.filters,
  };
}

export function windowOf(period: Address['period']): { hours: number } | { start: string; end: string } {
  if (period in periods) return { hours: periods[period as PeriodName] };
  const [start = '', end = ''] = period.split('/');
  return { start, end };
}
