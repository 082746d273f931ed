import { z } from '@hono/zod-openapi';
import { FIRST_DAY, LAST_DAY, OUTSIDE_DAYS } from '../../shared/clickhouse/column-bounds.js';
import { PublicError } from '../../shared/errors.js';
import { normaliseClientIp } from '../../shared/queries/client-ip.js';
import type { Scope, Window } from '../../shared/queries/scope.js';
import type { SegmentRules } from '../../shared/queries/segments.js';
import type { WebsiteContext } from './operation.js';

/** The common query parameters (spec §2.1) and what they resolve to. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const MAX_HOURS = 8760;
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

/** hours, start, end, countries. `clamp`: hours above the maximum become the maximum (spec §4.2 bots); else 400. */
export function windowParameters({ defaultHours = 24, maxHours = MAX_HOURS, clamp = false } = {}) {
  const hours = clamp
    ? wholeNumber().transform((value) => Math.min(Math.max(value, 1), maxHours))
    : wholeNumber({ min: 1, max: maxHours });
  return {
    hours: hours.default(defaultHours).openapi({
      type: 'integer',
      minimum: 1,
      maximum: maxHours,
      default: defaultHours,
      description: 'Rolling window ending now. Ignored when start and end are both given.',
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
      description: 'ISO 8601 date (that whole day included) or date-time (excluded).',
      example: '2026-11-07',
    }),
    countries: z
      .string()
      .max(1000)
      .optional()
      .openapi({ description: 'Comma-separated ISO 3166-1 alpha-2 codes.', example: 'DE,FR' }),
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

interface WindowInput {
  hours: number;
  start?: string | undefined;
  end?: string | undefined;
  countries?: string | undefined;
}

export interface ScopeInput extends WindowInput {
  segment?: string | undefined;
}

/** @throws PublicError invalid_request where start, end or countries can't be read. */
export function resolveScope(input: ScopeInput, context: WebsiteContext): Scope {
  return {
    websiteId: context.website.id,
    window: resolveWindow(input, context.now),
    countries: parseCountries(input.countries),
    segment: resolveSegment(input.segment, context),
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

export function resolveWindow({ hours, start, end }: WindowInput, now: number): Window {
  if (start === undefined || end === undefined) return { start: now - hours * HOUR_MS, end: now };
  const window = { start: parseInstant('start', start).from, end: parseInstant('end', end).to };
  if (window.start >= window.end) throw new PublicError('invalid_request', 'start: must lie before end');
  if (window.end - window.start > MAX_WINDOW_MS) {
    throw new PublicError('invalid_request', 'start: must lie at most 366 days before end');
  }
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

function parseCountries(text: string | undefined): string[] {
  if (text === undefined || text.trim() === '') return [];
  const codes = text
    .split(',')
    .map((code) => code.trim().toUpperCase())
    .filter((code) => code !== '');
  const wrong = codes.find((code) => !/^[A-Z]{2}$/.test(code));
  if (wrong !== undefined) {
    throw new PublicError(
      'invalid_request',
      `countries: "${wrong.slice(0, 20)}" is not an ISO 3166-1 alpha-2 code`,
    );
  }
  return [...new Set(codes)];
}
