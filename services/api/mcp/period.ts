/** The period of a tool as the API's window and as the console's. */

const HOUR_MS = 3_600_000;
const hoursOf: ReadonlyMap<string, number> = new Map([
  ['24h', 24],
  ['7d', 168],
  ['30d', 720],
  ['90d', 2160],
]);

/** @param period checked by the tool's schema. */
export function windowOf(period: string, now: number): { hours: number } | { start: string; end: string } {
  const hours = hoursOf.get(period);
  if (hours !== undefined) return { hours };
  const dayBefore = period === 'yesterday' ? 24 * HOUR_MS : 0;
  const day = new Date(now - dayBefore).toISOString().slice(0, 10);
  if (period === 'today' || period === 'yesterday') return { start: day, end: day };
  const [start = '', end = ''] = period.split('..');
  return { start, end };
}

export interface ConsoleScope {
  readonly screen: string;
  readonly website: string | null;
  readonly period?: string;
  readonly segment?: string | undefined;
  readonly countries?: string | undefined;
  readonly verified?: boolean | undefined;
  readonly rest?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The same picture in the console (console/address.ts). */
export function consoleUrl(base: string, scope: ConsoleScope, now: number): string {
  const window = windowOf(scope.period ?? '7d', now);
  const period = 'hours' in window ? (scope.period ?? '7d') : `${window.start}/${window.end}`;
  const query = new URLSearchParams();
  const set = (name: string, value: string | null | undefined) => {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  };
  set('site', scope.website);
  set('period', period === '7d' ? '' : period);
  set('segment', scope.segment);
  set('countries', scope.countries);
  set('verified', scope.verified === true ? '1' : '');
  for (const [name, value] of Object.entries(scope.rest ?? {})) set(name, value);
  return `${base}/${scope.screen}${query.size === 0 ? '' : `?${query}`}`;
}
