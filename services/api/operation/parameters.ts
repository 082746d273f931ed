import { z } from '@hono/zod-openapi';
import { statusCategories } from '../../../shared/reads/answer/status-category.js';
import { normaliseClientIp } from '../../../shared/reads/sql/client-ip.js';
import { CUT_MARK, MOST_TEXT_BYTES } from '../../../shared/reads/sql/cut-text.js';
import { FIRST_DAY, LAST_DAY } from '../../../shared/store/column-bounds.js';

/** The common query parameters (spec §2.1); resolve-scope.ts evaluates them. */

/** 365 days (spec §8). resolve-scope.ts allows a leap year for dates, and plans.ts keeps rows for longer. */
export const MAX_HOURS = 365 * 24;

/** A whole number as text. Other texts that JavaScript converts to a number ('', '1e3', '0x1f') are refused. */
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
  /** Hours beyond the bounds become the nearest bound (spec §4.2 bots); otherwise they are refused. */
  readonly clamp?: boolean;
}

/** Refused only if it is used (spec §2.1: ignored when start and end are given). */
export interface WrongHours {
  readonly refusal: string;
}

function parseHours(text: string, clamp: boolean): number | WrongHours {
  const hours = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (clamp && !Number.isNaN(hours)) return Math.min(Math.max(hours, 1), MAX_HOURS);
  if (hours >= 1 && hours <= MAX_HOURS) return hours;
  return { refusal: `hours: expected a whole number from 1 to ${MAX_HOURS}, got "${text.slice(0, 40)}"` };
}

/** hours for operations that choose the default themselves. */
export function optionalHoursParameter(description: string) {
  return z
    .string()
    .transform((text) => parseHours(text, false))
    .optional()
    .openapi({ type: 'integer', minimum: 1, maximum: MAX_HOURS, description });
}

/** hours, start and end without a default, for operations to which an absent window has a meaning. */
export function optionalWindowParameters() {
  const { start, end } = windowParameters();
  const hours = optionalHoursParameter(
    'Rolling window ending now. Ignored when start and end are both given.',
  );
  return { hours, start, end };
}

/** hours, start and end. */
export function windowParameters({ defaultHours = 24, clamp = false }: WindowOptions = {}) {
  return {
    hours: z
      .string()
      .default(String(defaultHours))
      .transform((text) => parseHours(text, clamp))
      .openapi({
        type: 'integer',
        minimum: 1,
        maximum: MAX_HOURS,
        default: defaultHours,
        description:
          'Rolling window of exactly this length. It ends with the current minute, or with the current ten seconds if it is shorter than a day. Ignored when start and end are both given.',
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
        'ISO 8601 date (that whole day included) or date-time (excluded). A later time than now means the end of the current minute, or of the current ten seconds for a window shorter than a day.',
      example: '2026-11-07',
    }),
  };
}

export const countriesParameter = z.string().max(1000).optional().openapi({
  description: 'Comma-separated ISO 3166-1 alpha-2 codes. Alias: `country`.',
  example: 'DE,FR',
});

const hostParameter = z.string().min(1).max(2048).optional().openapi({
  description:
    'Comma-separated host names: only requests for one of them, ignoring case and port. www.example.com and example.com are different hosts. A host that no request of the website has is refused; the refusal lists the requested hosts.',
  example: 'www.example.com',
});

/** Part of the description of each filter by a crawler's name or family. */
export const UNKNOWN_NAME =
  'A name that is not in the crawler table and that no request of the website claimed is refused; the refusal lists the bots that visited.';

/** Alias of a filter, from the specification or another read; null: none. */
export function aliasOf(field: z.ZodType): string | null {
  return aliases.get(field) ?? null;
}

const listParameters: ReadonlySet<string> = new Set(['countries', 'file_type', 'host', 'segments']);

/** Whether the value is a comma-separated list: values of a repeated parameter are combined. */
export function isListParameter(name: string): boolean {
  return listParameters.has(name);
}

/** A crawler's name or family. */
export function crawlerName(description: string, example = 'Googlebot') {
  const name = z.string().min(1).max(200).optional();
  return name.openapi({ description: `${description} ${UNKNOWN_NAME}`, example });
}

/** `with` and `without` are older names of the values. */
const paramsFilters = new Map([
  ['all', 'all'],
  ['with_params', 'with_params'],
  ['with', 'with_params'],
  ['no_params', 'no_params'],
  ['without', 'no_params'],
] as const);

const paramsFilterParameter = z
  .enum([...paramsFilters.keys()])
  .transform((word) => paramsFilters.get(word)!)
  .default('all')
  .openapi({
    type: 'string',
    enum: ['all', 'with_params', 'no_params'],
    default: 'all',
    description: 'Only requests with a query string, or only requests without. Alias: `params`.',
  });

const botVerifiedParameter = booleanParameter(
  'true: only requests of verified bots; false: only requests of bots whose verification failed. Unverifiable bots are in neither. Alias: `verified`.',
);

const withoutUnprovedParameter = booleanParameter(
  'true: leaves out requests of bots that are not verified. Unlike bot_verified it keeps people and undeclared agents, which claim no bot.',
);

const statusParameter = wholeNumber({ min: 0, max: 999 }).optional().openapi({
  type: 'integer',
  minimum: 0,
  maximum: 999,
  description: 'Only requests answered with exactly this HTTP status. Alias: `status_code`.',
  example: 404,
});

const aliases: ReadonlyMap<z.ZodType, string> = new Map<z.ZodType, string>([
  [countriesParameter, 'country'],
  [paramsFilterParameter, 'params'],
  [botVerifiedParameter, 'verified'],
  [statusParameter, 'status_code'],
]);

/** The filters that the search of single requests has in the same form. */
export const requestFilterParameters = {
  host: hostParameter,
  bot_family: crawlerName('Only requests that claim this crawler family, ignoring case.', 'Google'),
  file_type: z.string().max(200).optional().openapi({
    description:
      'Comma-separated file types, with or without the dot: html, css, js, jpg, pdf … An unusual type that no request of the window has is refused.',
    example: 'html,php',
  }),
  params_filter: paramsFilterParameter,
  bot: crawlerName(
    'Only requests that claim to be this crawler, by its name or the name of its family, ignoring case.',
  ),
  bot_verified: botVerifiedParameter,
  without_unproved: withoutUnprovedParameter,
  status: statusParameter,
};

export const statusCategoryParameter = z.enum(statusCategories).optional().openapi({
  description:
    'Only requests answered with a status of this class. other: no status, for example because the client disconnected before an answer, or a status outside 100-599.',
});

/** Filters of every read of a window; each is a field of shared/reads/sql/filters.ts. */
const filterParameters = {
  countries: countriesParameter,
  bot_name: crawlerName('Only requests that claim to be this bot, ignoring case.'),
  ...requestFilterParameters,
  status_category: statusCategoryParameter,
};

/** Window and filters of a read, and the segment if the read supports it. */
export function scopeParameters(window: WindowOptions = {}, segment = false) {
  return {
    ...windowParameters(window),
    ...filterParameters,
    ...(segment ? { segment: segmentParameter } : {}),
  };
}

/** segment (spec §2.1); reads without it ignore it. */
export const segmentParameter = z.string().optional().openapi({
  description:
    'Id of a saved segment: only its requests are counted, from the single requests of the whole window. An unknown id is ignored and listed in `_ignored_parameters`. Over a long window the answer may have `data_buffering` true.',
  example: 'seg_4kq9x2',
});

/** max_rows (spec §2.1). Every JSON read has it (routes.ts); truncate-rows.ts applies it to the answer. */
export const maxRowsParameter = wholeNumber({ min: 1 }).optional().openapi({
  type: 'integer',
  minimum: 1,
  description:
    'Cuts every list in the answer, also nested ones, to its first N entries; `_truncated` then contains the original lengths.',
});

/** Entries of a list with uncut texts. */
export const MOST_FULL_ROWS = 20;

/** Every read of a website has it (routes.ts); reads/answer-read.ts applies it. */
export const fullTextsParameter = booleanParameter(
  `true: lists have uncut texts, and at most ${MOST_FULL_ROWS} entries. Otherwise a path, URL, query, user agent or referrer of more than ${MOST_TEXT_BYTES} bytes of JSON in a list is cut and ends in "${CUT_MARK}". Only \`/requests\` has uncut texts of single requests.`,
);

/** A whole number in a query string, with its bounds in the description. */
export function integerParameter(bounds: IntegerBounds) {
  return wholeNumber(bounds).default(bounds.default).openapi(describedInteger(bounds));
}

/** The same without a default. Clients send documented defaults, so a parameter that some calls refuse has none. */
export function optionalIntegerParameter(bounds: Omit<IntegerBounds, 'default'>) {
  return wholeNumber(bounds).optional().openapi(describedInteger(bounds));
}

interface IntegerBounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly description: string;
}

function describedInteger({ min, max, ...others }: Omit<IntegerBounds, 'default'>) {
  return { type: 'integer', minimum: min, maximum: max, ...others } as const;
}

/** The same, but a number beyond the bounds becomes the nearest bound (spec §8: clamped). */
export function clampedParameter(bounds: IntegerBounds) {
  return wholeNumber()
    .transform((number) => Math.min(Math.max(number, bounds.min), bounds.max))
    .default(bounds.default)
    .openapi({
      type: 'integer',
      default: bounds.default,
      description: `${bounds.description} From ${bounds.min} to ${bounds.max}: numbers beyond become the nearest bound.`,
    });
}

/** An address in its shortest form. */
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

/** page and page_size of paged reads (spec §8: at most 500). */
export function pageParameters() {
  return {
    page: integerParameter({ min: 1, max: MAX_PAGE, default: 1, description: 'Counted from 1.' }),
    page_size: integerParameter({ min: 1, max: 500, default: 50, description: 'Rows per page.' }),
  };
}

/** The real bound is a number of rows, checked in shared/reads/answer/paging.ts. */
const MAX_PAGE = 1_000_000;

/** Filters of the seo reads (spec §4.3). */
export const crawlerParameters = {
  bot: crawlerName(
    'Only this crawler, by its name or the name of its family, ignoring case, for any purpose. `bot_name` and `bot_family` do the same here; if both are given, both must match.',
  ),
  params_filter: paramsFilterParameter,
};
