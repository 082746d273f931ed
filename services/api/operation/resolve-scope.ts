import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { PublicError } from '../../../shared/errors.js';
import { countryCodes, isCountryCode } from '../../../shared/reads/answer/country-name.js';
import {
  type StatusCategory,
  statusClassOf,
  toStatusCategory,
} from '../../../shared/reads/answer/status-category.js';
import type { Filters } from '../../../shared/reads/sql/filters.js';
import { rollingWindow, runningEnd, type Scope, type Window } from '../../../shared/reads/sql/scope.js';
import type { SegmentRules } from '../../../shared/reads/sql/segment-conditions.js';
import { FIRST_DAY, LAST_DAY, OUTSIDE_DAYS } from '../../../shared/store/column-bounds.js';
import { normaliseHost } from '../../../shared/urls/normalise-host.js';
import { shortened } from './input.js';
import type { WebsiteContext } from './operation.js';
import { MAX_HOURS, type WrongHours } from './parameters.js';

/** Evaluates the common parameters (spec §2.1) of a call: window, filters, segment. */

/** A leap year: the maximum of hours, also for whole days. It bounds answers by hour. */
export const MAX_WINDOW_MS = MAX_HOURS * HOUR_MS + DAY_MS;

export interface WindowInput {
  readonly hours: number | WrongHours;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

export interface ScopeInput extends WindowInput {
  readonly countries?: string | undefined;
  readonly host?: string | undefined;
  readonly bot_name?: string | undefined;
  readonly bot_family?: string | undefined;
  /** A crawler by its name or its family. */
  readonly bot?: string | undefined;
  readonly bot_verified?: boolean | undefined;
  readonly without_unproved?: boolean | undefined;
  readonly file_type?: string | undefined;
  readonly params_filter?: 'all' | 'with_params' | 'no_params' | undefined;
  readonly status?: number | undefined;
  readonly status_category?: StatusCategory | undefined;
  readonly segment?: string | undefined;
}

/** @throws PublicError invalid_request if the window or the countries are invalid. */
export function resolveScope(input: ScopeInput, context: WebsiteContext): Scope {
  return {
    websiteId: context.website.id,
    window: resolveWindow(input, context.now),
    filters: resolveFilters(input, context),
  };
}

/** Contains only given filters. */
function resolveFilters(input: ScopeInput, context: WebsiteContext): Filters {
  const { bot, bot_name, bot_family, bot_verified, file_type, params_filter = 'all' } = input;
  const { status, status_category } = input;
  const countries = parseCountries(input.countries);
  const hosts = parseHosts(input.host);
  const fileTypes = parseFileTypes(file_type);
  const segment = resolveSegment(input.segment, context);
  refuseContradiction(input);
  return {
    ...(countries.length > 0 && { countries }),
    ...(hosts.length > 0 && { hosts }),
    ...(bot_name !== undefined && { botName: bot_name }),
    ...(bot_family !== undefined && { botFamily: bot_family }),
    ...(bot !== undefined && { bot }),
    ...(bot_verified !== undefined && { botVerified: bot_verified }),
    ...(input.without_unproved === true && { withoutUnproved: true }),
    ...(fileTypes.length > 0 && { fileTypes }),
    ...(params_filter !== 'all' && { hasQuery: params_filter === 'with_params' }),
    ...(status !== undefined && { status }),
    ...(status_category !== undefined && { statusClass: statusClassOf(status_category) }),
    ...(segment !== null && { segment }),
  };
}

/** @throws PublicError invalid_request if no request can match both statuses. */
export function refuseContradiction({ status, status_category }: ScopeInput): void {
  if (status === undefined || status_category === undefined) return;
  if (toStatusCategory(status) !== status_category)
    throw new PublicError(
      'invalid_request',
      `status: ${status} is not in the class ${status_category} of status_category`,
    );
}

/**
 * Names that no crawler has together would give zeros. A crawler matches its name and the name of its family.
 * @throws PublicError invalid_request
 */
export function refuseOtherBots(
  { bot, bot_name, bot_family }: Pick<ScopeInput, 'bot' | 'bot_name' | 'bot_family'>,
  { services }: Pick<WebsiteContext, 'services'>,
): void {
  const isOf = (family: string, name: string) =>
    [name, services.crawlerFamily(name)].some((each) => each.toLowerCase() === family.toLowerCase());
  const refuse = (one: string, first: string) => {
    throw new PublicError('invalid_request', `${one}: no crawler matches both this name and ${first}`);
  };
  if (bot_name !== undefined && bot !== undefined && !isOf(bot, bot_name)) refuse('bot_name', 'bot');
  if (bot_name !== undefined && bot_family !== undefined && !isOf(bot_family, bot_name))
    refuse('bot_family', 'bot_name');
  if (bot !== undefined && bot_family !== undefined && !isOf(bot_family, bot)) refuse('bot_family', 'bot');
}

/** The rules of a segment; null without an id and for an id that the website does not have (spec §2.1). */
export function resolveSegment(
  id: string | undefined,
  { website, services }: WebsiteContext,
): SegmentRules | null {
  const segment = id === undefined ? null : services.control.segment(website.id, id);
  return segment === null ? null : { rules: segment.rules, excludeRules: segment.excludeRules };
}

/**
 * Hours are counted back from the end of the current minute or ten seconds (`rollingWindow`). A window with a later end ends there too.
 * @throws PublicError invalid_request
 */
export function resolveWindow({ hours, start, end }: WindowInput, now: number): Window {
  if (start === undefined || end === undefined) {
    if (typeof hours !== 'number') throw new PublicError('invalid_request', hours.refusal);
    return rollingWindow(hours * HOUR_MS, now);
  }
  const from = parseInstant('start', start).from;
  const to = parseInstant('end', end).to;
  if (from >= to) throw new PublicError('invalid_request', 'start: must be before end');
  if (from >= now) throw new PublicError('invalid_request', 'start: is in the future');
  const window =
    to > now
      ? { start: from, end: Math.min(to, runningEnd(now - from, now)), running: true }
      : { start: from, end: to };
  if (window.end - window.start > MAX_WINDOW_MS)
    throw new PublicError('invalid_request', 'start: must be at most 366 days before end');
  return window;
}

/** Answers contain their window, so its times must fit into ISO 8601 text and into the day columns. */
const FIRST_INSTANT = Date.parse(FIRST_DAY);
const END_OF_DAYS = Date.parse(LAST_DAY) + DAY_MS;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

function parseInstant(name: string, text: string): { from: number; to: number } {
  const instant = readInstant(name, text);
  if (instant.from < FIRST_INSTANT || instant.to > END_OF_DAYS)
    throw new PublicError('invalid_request', `${name}: expected ${OUTSIDE_DAYS}, got "${text}"`);
  return instant;
}

/** In a query string, an unencoded plus sign of an offset arrives as a space. */
const DECODED_PLUS = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) (\d{2}:?\d{2})$/;

/** Start of a day, YYYY-MM-DD; null for an invalid date: `Date.parse` accepts 30 February as 2 March. */
function dayOf(text: string): number | null {
  const day = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text) ? day : null;
}

function readInstant(name: string, sent: string): { from: number; to: number } {
  const text = sent.replace(DECODED_PLUS, '$1+$2');
  const day = DATE.test(text) || DATE_TIME.test(text) ? dayOf(text.slice(0, 10)) : null;
  if (day !== null && DATE.test(text)) return { from: day, to: day + DAY_MS };
  if (day !== null) {
    const instant = Date.parse(
      /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`,
    );
    if (!Number.isNaN(instant)) return { from: instant, to: instant };
  }
  throw new PublicError(
    'invalid_request',
    `${name}: expected an ISO 8601 date (YYYY-MM-DD) or date-time, got "${text.slice(0, 40)}"`,
  );
}

/** Parts of a comma-separated list, without blanks and repeats. */
export function listOf(text: string | undefined): string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}

/** @throws PublicError invalid_request if no country has the code. @param code in upper case. */
export function refuseNoCountry(name: string, code: string): void {
  if (code === 'UK')
    throw new PublicError('invalid_request', `${name}: the code of the United Kingdom is GB, not UK`);
  if (!/^[A-Z]{2}$/.test(code))
    throw new PublicError(
      'invalid_request',
      `${name}: expected ISO 3166-1 alpha-2 codes such as DE, got "${code.slice(0, 20)}"`,
    );
  if (!isCountryCode(code))
    throw new PublicError(
      'invalid_request',
      `${name}: no country has the code ${code}; the codes are ${countryCodes().join(', ')}`,
    );
}

function parseHosts(text: string | undefined): string[] {
  const hosts = listOf(text).map((entry) => {
    const host = normaliseHost(entry);
    if (host !== '') return host;
    throw new PublicError(
      'invalid_request',
      `host: expected host names such as www.example.com, got "${shortened(entry)}"`,
    );
  });
  return [...new Set(hosts)];
}

/** Extensions as paths have them, with or without their dot. */
function parseFileTypes(text: string | undefined): string[] {
  const types = listOf(text).map((entry) => {
    const type = entry.replace(/^\./, '').toLowerCase();
    if (/^[a-z\d]{1,8}$/.test(type)) return type;
    throw new PublicError(
      'invalid_request',
      `file_type: expected extensions such as html, php, pdf, got "${shortened(entry)}"`,
    );
  });
  return [...new Set(types)];
}

function parseCountries(text: string | undefined): string[] {
  const codes = listOf(text).map((code) => code.toUpperCase());
  for (const code of codes) refuseNoCountry('countries', code);
  return [...new Set(codes)];
}
