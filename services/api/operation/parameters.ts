import { z } from '@hono/zod-openapi';
import { statusCategories } from '../../../shared/reads/answer/status-category.js';
import { normaliseClientIp } from '../../../shared/reads/sql/client-ip.js';
import { CUT_MARK, MOST_TEXT_BYTES } from '../../../shared/reads/sql/cut-text.js';
import { FIRST_DAY, LAST_DAY } from '../../../shared/store/column-bounds.js';

/** The common query parameters (spec §2.1); resolve-scope.ts says what they come to. */

export const MAX_HOURS = 8760;

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
  /** Hours beyond the bounds become the nearest bound (spec §4.2 bots); else they are refused. */
  readonly clamp?: boolean;
}

/** Refused only where it is used (spec §2.1: ignored when start and end are given). */
export interface WrongHours {
  readonly refusal: string;
}

function parseHours(text: string, clamp: boolean): number | WrongHours {
  const hours = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (clamp && !Number.isNaN(hours)) return Math.min(Math.max(hours, 1), MAX_HOURS);
  if (hours >= 1 && hours <= MAX_HOURS) return hours;
  return { refusal: `hours: expected a whole number from 1 to ${MAX_HOURS}, got "${text.slice(0, 40)}"` };
}

/** hours, where something else decides when it is absent. */
export function optionalHoursParameter(description: string) {
  return z
    .string()
    .transform((text) => parseHours(text, false))
    .optional()
    .openapi({ type: 'integer', minimum: 1, maximum: MAX_HOURS, description });
}

/** The same where the absence of a window says something; `hours` counts with no default. */
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

export const countriesParameter = z.string().max(1000).optional().openapi({
  description: 'Comma-separated ISO 3166-1 alpha-2 codes. `country` is another name of it.',
  example: 'DE,FR',
});

const hostParameter = z.string().min(1).max(2048).optional().openapi({
  description:
    'Comma-separated host names: only requests that asked for one of them, ignoring case and a port. www.example.com and example.com are two hosts. A host that no request of the website asked for is refused; the refusal lists hosts that were asked for.',
  example: 'www.example.com',
});

/** Said of each filter by a crawler's name or family. */
export const UNKNOWN_NAME =
  'A name that the table of crawlers lacks and that no request of the website claimed is refused; the refusal lists bots that came.';

/** Another name of a filter, which the contract or another read gives it; null: it has none. */
export function aliasOf(field: z.ZodType): string | null {
  return aliases.get(field) ?? null;
}

const listParameters: ReadonlySet<string> = new Set(['countries', 'file_type', 'host', 'segments']);

/** Whether its value is a list with commas: repeated, its values are combined. */
export function isListParameter(name: string): boolean {
  return listParameters.has(name);
}

/** A crawler's name or family. */
export function crawlerName(description: string, example = 'Googlebot') {
  const name = z.string().min(1).max(200).optional();
  return name.openapi({ description: `${description} ${UNKNOWN_NAME}`, example });
}

/** `with` and `without` are older words for the same. */
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
    description: 'Only requests with a query string, or only those without. `params` is another name of it.',
  });

const botVerifiedParameter = booleanParameter(
  'true: only requests of bots that proved to be who they say; false: only those of bots that failed to. Bots that cannot be verified are in neither. `verified` is another name of it.',
);

const statusParameter = wholeNumber({ min: 0, max: 999 }).optional().openapi({
  type: 'integer',
  minimum: 0,
  maximum: 999,
  description: 'Only requests answered with exactly this HTTP status. `status_code` is another name of it.',
  example: 404,
});

const aliases: ReadonlyMap<z.ZodType, string> = new Map<z.ZodType, string>([
  [countriesParameter, 'country'],
  [paramsFilterParameter, 'params'],
  [botVerifiedParameter, 'verified'],
  [statusParameter, 'status_code'],
]);

/** Those of the filters that the search of single requests takes in this form, too. */
export const requestFilterParameters = {
  host: hostParameter,
  bot_family: crawlerName(
    'Only requests that claim to be of this family of crawlers, ignoring case.',
    'Google',
  ),
  file_type: z.string().max(200).optional().openapi({
    description:
      'Comma-separated file types, with or without the dot: html, css, js, jpg, pdf … An unusual one that no request of the window is of is refused.',
    example: 'html,php',
  }),
  params_filter: paramsFilterParameter,
  bot: crawlerName(
    'Only requests that claim to be this crawler, by its name or the name of its family, ignoring case.',
  ),
  bot_verified: botVerifiedParameter,
  status: statusParameter,
};

export const statusCategoryParameter = z.enum(statusCategories).optional().openapi({
  description:
    'Only requests answered with a status of this class; other: with none, as when the client left before an answer, or with one outside 100-599.',
});

/** What any read of a window may be narrowed to; each is a field of shared/reads/sql/filters.ts. */
const filterParameters = {
  countries: countriesParameter,
  bot_name: crawlerName('Only requests that claim to be this bot, ignoring case.'),
  ...requestFilterParameters,
  status_category: statusCategoryParameter,
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
    'Id of a saved segment: only requests in it are counted, from the single requests of the whole window. An id that is none of the website is ignored, and `_ignored_parameters` names it. Over a long window the answer may say `data_buffering` true.',
  example: 'seg_4kq9x2',
});

/** max_rows (spec §2.1); every JSON read takes it (routes.ts), and it is applied to its answer (truncate-rows.ts). */
export const maxRowsParameter = wholeNumber({ min: 1 }).optional().openapi({
  type: 'integer',
  minimum: 1,
  description:
    'Caps every list in the answer, nested ones too, to its first N entries; `_truncated` then tells the original lengths.',
});

/** Entries of a list whose texts are whole. */
export const MOST_FULL_ROWS = 20;

/** Every read of a website takes it (routes.ts), and it is applied to its answer (reads/answer-read.ts). */
export const fullTextsParameter = booleanParameter(
  `true: lists show long texts whole, and ${MOST_FULL_ROWS} entries at most. Else a path, URL, query, user agent or referrer in a list that takes more than ${MOST_TEXT_BYTES} bytes of JSON is cut and ends in "${CUT_MARK}". Single requests have whole texts in \`/requests\` alone.`,
);

/** A whole number in a query string, with its bounds as the description shows them. */
export function integerParameter(bounds: IntegerBounds) {
  return wholeNumber(bounds).default(bounds.default).openapi(describedInteger(bounds));
}

/** The same, where it matters whether it was given: the operation fills in the default itself. */
export function optionalIntegerParameter(bounds: IntegerBounds) {
  return wholeNumber(bounds).optional().openapi(describedInteger(bounds));
}

interface IntegerBounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly description: string;
}

function describedInteger({ min, max, default: usual, description }: IntegerBounds) {
  return { type: 'integer', minimum: min, maximum: max, default: usual, description } as const;
}

/** The same, where a number beyond the bounds becomes the nearest bound instead of being refused (spec §8: clamped). */
export function clampedParameter(bounds: IntegerBounds) {
  return wholeNumber()
    .transform((number) => Math.min(Math.max(number, bounds.min), bounds.max))
    .default(bounds.default)
    .openapi({
      type: 'integer',
      default: bounds.default,
      description: `${bounds.description} From ${bounds.min} to ${bounds.max}: a number beyond becomes the nearest of them.`,
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

/** page and page_size of the reads that page through a ranked list (spec §8: 500 at most). */
export function pageParameters() {
  return {
    page: integerParameter({ min: 1, max: MAX_PAGE, default: 1, description: 'Counted from 1.' }),
    page_size: integerParameter({ min: 1, max: 500, default: 50, description: 'Rows a page.' }),
  };
}

/** Rows are counted, not pages: shared/reads/answer/paging.ts refuses what lies too far back. */
const MAX_PAGE = 1_000_000;

/** What the reads of the seo family are narrowed by (spec §4.3). */
export const crawlerParameters = {
  bot: crawlerName(
    'Only this crawler, by its name or the name of its family, ignoring case, whatever it crawls for. `bot_name` and `bot_family` do the same here; where both are given, both must hold.',
  ),
  params_filter: paramsFilterParameter,
};
