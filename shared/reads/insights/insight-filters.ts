import { z } from 'zod';
import { PublicError } from '../../errors.js';
import { normaliseHost } from '../../urls/normalise-host.js';
import { isCountryCode } from '../answer/country-name.js';
import { type StatusCategory, statusCategories, statusClassOf } from '../answer/status-category.js';
import type { Filters } from '../sql/filters.js';

/**
 * The filters of an insight (spec §4.9): a JSON object with the names of the reads' parameters. Lookup compares the text, so it has one
 * canonical form: sorted names, no blanks.
 */

/** Length of the JSON text; real filters are far shorter. */
export const MOST_FILTER_CHARACTERS = 2_000;
/** Maximum nesting of objects and lists. */
const MOST_DEPTH = 4;

type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** Created by `JSON.parse` and read by its entries only, so that foreign names are never looked up. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Names with a special meaning on JavaScript objects. */
const SPECIAL: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * @param text JSON, as sent.
 * @returns its canonical form. Filters that no insight has are not an error: the lookup finds nothing.
 * @throws PublicError invalid_request naming `filters`.
 */
export function canonicalFilters(text: string): string {
  if (text.length > MOST_FILTER_CHARACTERS) refuse(`at most ${MOST_FILTER_CHARACTERS} characters`);
  const { depth, names } = scan(text);
  if (depth > MOST_DEPTH) refuse(`JSON that is nested at most ${MOST_DEPTH} deep`);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return refuse('a JSON object');
  }
  if (!isObject(value)) return refuse('a JSON object');
  // For a repeated name `JSON.parse` uses the last value; another reader of the text may use the first.
  if (countNames(value) !== names) refuse('a JSON object without repeated names');
  return canonicalJson(value);
}

/** @param canonical from {@link canonicalFilters}. */
export function parseFilters(canonical: string): JsonObject {
  return JSON.parse(canonical) as JsonObject;
}

function refuse(expected: string): never {
  throw new PublicError('invalid_request', `filters: expected ${expected}`);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** @returns the nesting depth of the JSON text and the number of names in its objects; for invalid JSON the numbers have no meaning. */
function scan(text: string): { readonly depth: number; readonly names: number } {
  let [depth, deepest, names, quoted] = [0, 0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ':') names++;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return { depth: deepest, names };
}

function countNames(value: Json): number {
  if (isList(value)) return value.reduce<number>((sum, each) => sum + countNames(each), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce((sum, [name, each]) => {
    if (SPECIAL.has(name)) refuse('names of filters such as countries');
    return sum + 1 + countNames(each);
  }, 0);
}

function canonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

const text = z.string().min(1).max(200);
const countryCodes = z
  .string()
  .max(400)
  .regex(/^[A-Z]{2}(?:,[A-Z]{2})*$/, 'ISO 3166-1 alpha-2 codes such as DE,FR')
  .refine((codes) => !codes.split(',').includes('UK'), 'GB for the United Kingdom, not UK')
  .refine((codes) => codes.split(',').every(isCountryCode), 'codes of countries such as DE,FR');

const hostNames = z
  .string()
  .max(400)
  .refine(
    (names) => names.split(',').every((name) => name !== '' && normaliseHost(name) === name),
    'host names such as www.example.com,shop.example.com',
  );

/** The scope of an insight: the filters of the reads, and the length of its window. */
const writable = z.strictObject({
  hours: z.int().min(24).max(2_160).optional(),
  countries: countryCodes.optional(),
  host: hostNames.optional(),
  bot: text.optional(),
  bot_name: text.optional(),
  bot_family: text.optional(),
  bot_verified: z.boolean().optional(),
  file_type: z
    .string()
    .max(200)
    .regex(/^[a-z0-9]+(?:,[a-z0-9]+)*$/, 'file types such as html,php')
    .optional(),
  params_filter: z.enum(['with_params', 'no_params']).optional(),
  status_category: z.enum(statusCategories).optional(),
});

export interface InsightScope {
  /** Length of the window. */
  readonly hours: number;
  readonly filters: Filters;
}

/** A week, so that it has each day of the week once. */
export const USUAL_HOURS = 168;

/**
 * The scope of an insight with these filters.
 * @param canonical from {@link canonicalFilters}.
 * @throws PublicError invalid_request naming the field, if no insight can be written for them.
 */
export function scopeOfFilters(canonical: string): InsightScope {
  const parsed = writable.safeParse(parseFilters(canonical));
  if (!parsed.success) {
    const { path, code, message } = parsed.error.issues[0]!;
    const names = Object.keys(writable.shape).join(', ');
    const said = code === 'unrecognized_keys' ? `there are ${names}` : message;
    throw new PublicError('invalid_request', `${['filters', ...path].join('.')}: ${said}`);
  }
  const { hours = USUAL_HOURS, ...written } = parsed.data;
  return { hours, filters: toFilters(written) };
}

function toFilters(written: Omit<z.output<typeof writable>, 'hours'>): Filters {
  const { countries, host, bot, bot_name, bot_family, bot_verified } = written;
  const { file_type, params_filter, status_category } = written;
  return {
    ...(countries !== undefined && { countries: countries.split(',') }),
    ...(host !== undefined && { hosts: host.split(',') }),
    ...(bot !== undefined && { bot }),
    ...(bot_name !== undefined && { botName: bot_name }),
    ...(bot_family !== undefined && { botFamily: bot_family }),
    ...(bot_verified !== undefined && { botVerified: bot_verified }),
    ...(file_type !== undefined && { fileTypes: file_type.split(',') }),
    ...(params_filter !== undefined && { hasQuery: params_filter === 'with_params' }),
    ...(status_category !== undefined && { statusClass: statusClassOf(status_category as StatusCategory) }),
  };
}
