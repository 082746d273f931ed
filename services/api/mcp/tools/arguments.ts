import { z } from 'zod';
import { visibleLine } from '../../../../shared/visible-text.js';
import { nearest } from '../nearest.js';
import { shortened } from '../shortened.js';

/** Arguments that tools share, and the schemas that name the right ones in a refusal. */

/** @param error of zod: a wrong option is answered with the nearest right one. */
export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description?: string,
) {
  const schema = z.enum(values, {
    error: ({ input }) =>
      `expected one of ${values.join(', ')}, got ${shown(input)}${typeof input === 'string' ? suggestion(input, values) : ''}`,
  });
  return description === undefined ? schema : schema.describe(description);
}

/** An object of a tool's arguments. A misspelt name is refused with the nearest right one, because it would have no effect. */
export function toolInput<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const wrong = (issue as { keys?: string[] }).keys ?? [];
      return `unknown argument ${suggested(wrong, names)}; the arguments are ${names.join(', ') || 'none'}`;
    },
  });
}

/** Wrong names, each with the nearest right one. */
export function suggested(wrong: readonly string[], names: readonly string[]): string {
  return wrong
    .slice(0, 5)
    .map((name) => `${shown(name)}${suggestion(name, names)}`)
    .join(', ');
}

/** A refusal has no fence, so it quotes one short line. For an object or a list it gives the kind: both may be deep. */
function shown(input: unknown): string {
  if (typeof input === 'string') return `"${shortened(visibleLine(input), 60)}"`;
  if (Array.isArray(input)) return 'a list';
  return typeof input === 'object' && input !== null ? 'an object' : String(input);
}

function suggestion(given: string, values: readonly string[]): string {
  const best = nearest(given, values);
  return best === null ? '' : ` (did you mean ${best}?)`;
}

/** A text with a bound, which the listed schema leaves out: it would cost tokens with every question. */
export const text = (most: number) =>
  z.string().refine((given) => given !== '' && given.length <= most, `expected 1 to ${most} characters`);

/** A text of a form, with the same saving. @param form what is expected, as a refusal says it. */
export const textOf = (pattern: RegExp, form: string) =>
  z.string().refine((given) => pattern.test(given), `expected ${form}`);

export const MOST_CURSOR_CHARACTERS = 2_000;
export const DEFAULT_ROWS = 20;
const MOST_ROWS = 100;

const website = text(300).optional().describe('Domain or id');

/** Two dates, both days included. */
const PERIOD = /^(?:24h|7d|30d|90d|today|yesterday|\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d)$/;
const PERIODS = '24h, 7d, 30d, 90d, today, yesterday or DATE..DATE (2026-11-01..2026-11-07)';
const period = textOf(PERIOD, PERIODS).default('7d').describe('24h|7d|30d|90d|today|yesterday|DATE..DATE');

const rows = z.int().min(1).max(MOST_ROWS);

/** Which website, and which part of a long answer. */
const pageArguments = {
  limit: rows.default(DEFAULT_ROWS),
  cursor: z.string().max(MOST_CURSOR_CHARACTERS).optional().describe('next_cursor'),
};

export const sharedArguments = {
  website,
  period,
  segment: text(100).optional().describe('Saved page group'),
  countries: textOf(/^[A-Za-z]{2}(?:,[A-Za-z]{2}){0,200}$/, 'country codes such as DE,FR')
    .optional()
    .describe('DE,FR'),
  verified_only: z.boolean().optional(),
  ...pageArguments,
};

export type SharedArguments = z.output<z.ZodObject<typeof sharedArguments>>;

type Scalar = string | number | boolean;

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** A call of any operation of the API. */
export const operationArguments = {
  operation: text(100).describe('Id from describe_operation'),
  website,
  parameters: z
    .record(z.string(), z.any().meta({ type: ['string', 'number', 'boolean'] }))
    // Checked here: the refusal of a single value would quote its name, which has no bound.
    .refine(
      (given): given is Record<string, Scalar> => Object.values(given).every(isScalar),
      'expected texts, numbers, true and false only',
    )
    .optional()
    .describe('Of path and query'),
};
