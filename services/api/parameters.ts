import { z } from '@hono/zod-openapi';
import { FIRST_DAY, LAST_DAY, OUTSIDE_DAYS } from '../../shared/clickhouse/column-bounds.js';
import { PublicError } from '../../shared/errors.js';
import { normaliseClientIp } from '../../shared/queries/client-ip.js';
import type { Filters } from '../../shared/queries/filters.js';
import type { Scope, Window } from '../../shared/queries/scope.js';
import type { SegmentRules } from '../../shared/queries/segments.js';
import type { WebsiteContext } from './operation.js';

/** The common query parameters (spec §2.1) and what they resolve to. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_HOURS = 8760;
/** A leap year: what hours allow, for whole days too. Answers by hour stay bounded by it. */
export const MAX_WINDOW_MS = MAX_HOURS * HOUR_MS + DAY_MS;

/** A whole number as text; what JavaScript would also take for one ('', '1e3', '0x1f') is refused. */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {}) {
  const number = z.number().max(max);
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'an integer')
    .transform(Number)
    .pipe(min === undefined ? number : number.min(min));
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/** true, 1, yes or false, 0, no. */
export function booleanParameter(description: string) {
  return z
    .string()
    .transform((text, context) => {
      const value = booleanWords.get(text.toLowerCase());
      if (value === undefined) {
        context.addIssue('true or false');
        return z.NEVER;
      }
      return value;
    })
    .optional()
    .openapi({ type: 'boolean', description });
}

export interface WindowOptions {
  readonly defaultHours?: number;
  readonly maxHours?: number;
  /** Hours beyond the bounds become the nearest bound (spec §4.2 bots); else they are refused. */
  readonly clamp?: boolean;
}

/** Refused only where it is used (spec §2.1: ignored when start and end are given). */
interface WrongHours {
  readonly refusal: string;
}

function parseHours(text: string, maxHours: number, clamp: boolean): number | WrongHours {
  const hours = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (clamp && !Number.isNaN(hours)) return Math.min(Math.max(hours, 1), maxHours);
  if (hours >= 1 && hours <= maxHours) return hours;
  return { refusal: `hours: expected a whole number from 1 to ${maxHours}, got "${text.slice(0, 40)}"` };
}

/** hours, start and end. */
export function windowParameters({
  defaultHours = 24,
  maxHours = MAX_HOURS,
  clamp = false,
}: WindowOptions = {}) {
  return {
    hours: z
      .string()
      .default(String(defaultHours))
      .transform((text) => parseHours(text, maxHours, clamp))
      .openapi({
        type: 'integer',
        minimum: 1,
        maximum: maxHours,
        default: defaultHours,
        description:
          'Rolling window ending now; of a day or longer, it begins on a whole hour, else on a whole minute. Ignored when start and end are both given.',
      }),
    start: z
      .string()
      .max(40)
      .optional()
      .openapi({
        description: `ISO 8601 date or date-time (UTC unless it has an offset), from ${FIRST_DAY} to ${LAST_DAY}. Used only together with end.`,
        example: '2026-11-01',
      }),
    end: z.string().max(40).optional().openapi({
      description:
        'ISO 8601 date (that whole day included) or date-time (excluded). Later than now, it means now.',
      example: '2026-11-07',
    }),
  };
}

export const countriesParameter = z
  .string()
  .max(1000)
  .optional()
  .openapi({ description: 'Comma-separated ISO 3166-1 alpha-2 codes.', example: 'DE,FR' });

/** Those of the filters that the search of single requests takes in this form, too. */
export const requestFilterParameters = {
  bot_family: z.string().min(1).max(200).optional().openapi({
    description: 'Only requests that claim to be of this family of crawlers, ignoring case.',
    example: 'Google',
  }),
  file_type: z.string().max(200).optional().openapi({
    description: 'Comma-separated file types in lower case: html, css, js, jpg, pdf …',
    example: 'html,php',
  }),
  params: z.enum(['with', 'without']).optional().openapi({
    description: 'Only requests with a query string, or only those without.',
  }),
};

/** What any read of a window may be narrowed to; each is a field of shared/queries/filters.ts. */
const filterParameters = {
  countries: countriesParameter,
  bot_name: z.string().min(1).max(200).optional().openapi({
    description: 'Only requests that claim to be this bot, ignoring case.',
    example: 'Googlebot',
  }),
  verified: booleanParameter('true: only requests of bots proved to be who they say.'),
  ...requestFilterParameters,
  status_category: z.enum(['1xx', '2xx', '3xx', '4xx', '5xx']).optional().openapi({
    description: 'Only requests answered with a status of this class.',
  }),
};

/** Window and filters of a read, with the segment where it takes one. */
export function scopeParameters(window: WindowOptions = {}, segment = false) {
  return {
    ...windowParameters(window),
    ...filterParameters,
    ...(segment ? { segment: segmentParameter } : {}),
  };
}

/** segment (spec §2.1); reads that do not name it ignore it. */
export const segmentParameter = z.string().optional().openapi({
  description:
    'Id of a saved segment: only requests in it are counted, from the single requests of the whole window. An id that is none of the website is ignored. Over a long window the answer may say `data_buffering` true.',
  example: 'seg_4kq9x2',
});

/** max_rows (spec §2.1); the frame adds it to every JSON read and applies it (truncate-rows.ts). */
export const maxRowsParameter = wholeNumber({ min: 1 }).optional().openapi({
  type: 'integer',
  minimum: 1,
  description:
    'Caps every list in the answer, nested ones too, to its first N entries; `_truncated` then tells the original lengths.',
});

/** A whole number in a query string, with its bounds as the description shows them. */
export function integerParameter(bounds: { min: number; max: number; default: number; description: string }) {
  return wholeNumber(bounds).default(bounds.default).openapi({
    type: 'integer',
    minimum: bounds.min,
    maximum: bounds.max,
    default: bounds.default,
    description: bounds.description,
  });
}

/** An address in its plain, shortest form. */
export function clientIpParameter(description: string) {
  return z
    .string()
    .transform((text, context) => {
      const address = normaliseClientIp(text);
      if (address === null) {
        context.addIssue('an IPv4 or IPv6 address');
        return z.NEVER;
      }
      return address;
    })
    .openapi({ type: 'string', description, example: '66.249.66.1' });
}

export interface WindowInput {
  readonly hours: number | WrongHours;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

export interface ScopeInput extends WindowInput {
  readonly countries?: string | undefined;
  readonly bot_name?: string | undefined;
  readonly bot_family?: string | undefined;
  readonly verified?: boolean | undefined;
  readonly file_type?: string | undefined;
  readonly params?: 'with' | 'without' | undefined;
  readonly status_category?: string | undefined;
  readonly segment?: string | undefined;
}

/** @throws PublicError invalid_request where the window or the countries can't be read. */
export function resolveScope(input: ScopeInput, context: WebsiteContext): Scope {
  return {
    websiteId: context.website.id,
    window: resolveWindow(input, context.now),
    filters: resolveFilters(input, context),
  };
}

/** Only what was given is in it. */
function resolveFilters(input: ScopeInput, context: WebsiteContext): Filters {
  const { bot_name, bot_family, verified, file_type, params, status_category } = input;
  const countries = parseCountries(input.countries);
  const fileTypes = listOf(file_type).map((type) => type.toLowerCase());
  const segment = resolveSegment(input.segment, context);
  return {
    ...(countries.length > 0 && { countries }),
    ...(bot_name !== undefined && { botName: bot_name }),
    ...(bot_family !== undefined && { botFamily: bot_family }),
    ...(verified === true && { verifiedOnly: true as const }),
    ...(fileTypes.length > 0 && { fileTypes }),
    ...(params !== undefined && { hasQuery: params === 'with' }),
    ...(status_category !== undefined && { statusClass: Number(status_category[0]) }),
    ...(segment !== null && { segment }),
  };
}

/** What decides whether a request is in it; null without an id and for one that is none of the website (spec §2.1). */
export function resolveSegment(
  id: string | undefined,
  { website, services }: WebsiteContext,
): SegmentRules | null {
  const segment = id === undefined ? null : services.control.segment(website.id, id);
  return segment === null ? null : { rules: segment.rules, excludeRules: segment.excludeRules };
}

const MINUTE_MS = 60_000;

/**
 * Rolling windows begin where buckets do, never later than asked. A window that would end in the future ends now.
 * @throws PublicError invalid_request
 */
export function resolveWindow({ hours, start, end }: WindowInput, now: number): Window {
  if (start === undefined || end === undefined) {
    if (typeof hours !== 'number') throw new PublicError('invalid_request', hours.refusal);
    const asked = now - hours * HOUR_MS;
    const unit = hours * HOUR_MS >= DAY_MS ? HOUR_MS : MINUTE_MS;
    return { start: Math.floor(asked / unit) * unit, end: now, running: true };
  }
  const from = parseInstant('start', start).from;
  const to = parseInstant('end', end).to;
  if (from >= to) throw new PublicError('invalid_request', 'start: must lie before end');
  if (from >= now)
    throw new PublicError('invalid_request', 'start: lies in the future, and nothing is known of it yet');
  const window = to >= now ? { start: from, end: now, running: true } : { start: from, end: to };
  if (window.end - window.start > MAX_WINDOW_MS)
    throw new PublicError('invalid_request', 'start: must lie at most 366 days before end');
  return window;
}

/** Answers tell their window, and the years of ISO 8601 text end where the columns' days have long ended. */
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

function readInstant(name: string, text: string): { from: number; to: number } {
  if (DATE.test(text)) {
    const day = Date.parse(`${text}T00:00:00Z`);
    if (!Number.isNaN(day) && new Date(day).toISOString().startsWith(text))
      return { from: day, to: day + DAY_MS };
  } else if (DATE_TIME.test(text)) {
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
function listOf(text: string | undefined): string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}

function parseCountries(text: string | undefined): string[] {
  const codes = listOf(text).map((code) => code.toUpperCase());
  for (const code of codes) {
    if (code === 'UK')
      throw new PublicError('invalid_request', 'countries: the code of the United Kingdom is GB, not UK');
    if (!/^[A-Z]{2}$/.test(code))
      throw new PublicError(
        'invalid_request',
        `countries: expected ISO 3166-1 alpha-2 codes such as DE, got "${code.slice(0, 20)}"`,
      );
  }
  return [...new Set(codes)];
}
