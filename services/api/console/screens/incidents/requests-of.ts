import type { Address, FilterName } from '../../address.js';
import { type AlertTimes, windowOfTimes } from '../../parts/alert-times.js';

/** The subject of an incident, as filters of the console and of the API. */
export interface IncidentSubject {
  readonly type: string;
  readonly subject: string;
}

type Filters = Readonly<Partial<Record<FilterName, string>>>;

const addressTypes: ReadonlySet<string> = new Set(['hacking_probe', 'scraper']);
const botTypes: ReadonlySet<string> = new Set([
  'new_bot',
  'fake_crawler',
  'crawler_drop',
  'crawler_errors',
  'crawler_blocked',
]);
const filtersByType: ReadonlyMap<string, Filters> = new Map([
  ['error_spike_5xx', { status_category: '5xx' }],
  ['not_found_spike', { status: '404' }],
  ['traffic_spike', {}],
]);

/** The filters that every read has; null: they cannot express it. */
export function filtersOf({ type, subject }: IncidentSubject): Filters | null {
  if (botTypes.has(type) && subject !== '') return { bot: subject };
  return filtersByType.get(type) ?? null;
}

/** The screen of all its requests: their time, and what they share. */
export function requestsOf(of: IncidentSubject, times: AlertTimes): Partial<Address> {
  const { start, end } = windowOfTimes(times);
  return {
    screen: 'requests',
    period: `${start}/${end}`,
    segment: null,
    countries: null,
    verified: false,
    filters: filtersOf(of) ?? {},
    rest: addressTypes.has(of.type) && of.subject !== '' ? { client_ip: of.subject } : {},
  };
}
