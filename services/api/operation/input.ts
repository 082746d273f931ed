import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { PublicError } from '../../../shared/errors.js';

/**
 * What a caller sent, held against an operation's schema. A refusal is a sentence: the field, what was expected, what came.
 */

/** Largest JSON body of a write; the biggest one the API knows (a segment of 60 rules) is far smaller. */
export const MAX_BODY_BYTES = 256 * 1024;

/** Lists and objects within each other; the deepest body that the API knows has 3. Checking and showing one goes as deep. */
const MAX_BODY_DEPTH = 32;

/** Of JSON text, before it is parsed; of any other text it says something and parsing refuses it. */
function isDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') {
      depth++;
      if (depth > MAX_BODY_DEPTH) return true;
    } else if (character === ']' || character === '}') depth--;
  }
  return false;
}

/**
 * @param optional an absent body counts as `{}`.
 * @throws PublicError invalid_request for a body that is not a JSON object.
 */
export async function bodyOf(c: Context, optional = false): Promise<Record<string, unknown>> {
  const text = await c.req.text();
  if (optional && text === '') return {};
  if (isDeep(text)) {
    throw new PublicError(
      'invalid_request',
      `body: nested more than ${MAX_BODY_DEPTH} deep; what this path takes is flat.`,
    );
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new PublicError('invalid_request', 'body: expected a JSON object, got something else.', { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new PublicError('invalid_request', `body: expected a JSON object, got ${shown(body)}.`);
  }
  return body as Record<string, unknown>;
}

/** @throws PublicError invalid_request naming the first wrong field, what was expected and what came. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const came = issue.path.reduce(ownValue, raw);
  const field = issue.path.length === 0 ? 'request' : fieldName(issue.path);
  throw new PublicError('invalid_request', `${field}: ${describe(issue, came)}.`);
}

/** As {@link parseInput}, and every field has to be one that the schema knows: a misspelt one would be lost without a word. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  refuseUnknown(schema, raw, []);
  return parseInput(schema, raw);
}

function refuseUnknown(given: unknown, raw: unknown, path: readonly PropertyKey[]): void {
  const schema = unwrapped(given);
  if (schema instanceof z.ZodArray && Array.isArray(raw)) {
    raw.forEach((entry, index) => {
      refuseUnknown(schema.element, entry, [...path, index]);
    });
    return;
  }
  if (!(schema instanceof z.ZodObject) || typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return;
  const fields = new Map(Object.entries(schema.shape));
  for (const [name, value] of Object.entries(raw)) {
    const field = fields.get(name);
    if (field !== undefined) {
      refuseUnknown(field, value, [...path, name]);
      continue;
    }
    const known =
      fields.size === 0 ? 'this call takes none' : `expected one of ${[...fields.keys()].join(', ')}`;
    throw new PublicError(
      'invalid_request',
      `${fieldName([...path, shortened(name)])}: there is no such field; ${known}.`,
    );
  }
}

/** Without what makes it optional, nullable or gives it a default. */
function unwrapped(given: unknown): unknown {
  let schema = given;
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    schema = schema.unwrap();
  return schema;
}

/** `rules[0].value` */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : `${name}${name && '.'}${String(part)}`),
    '',
  );
}

function ownValue(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue, came: unknown): string {
  return `expected ${expected(issue)}, ${came === undefined ? 'but it is missing' : `got ${shown(came)}`}`;
}

function expected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (!issue.message.startsWith(ZODS_OWN)) return issue.message;
      return typeNames.get(issue.expected) ?? `a ${issue.expected}`;
    case 'too_small':
      return `at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`;
    case 'invalid_format':
      return issue.message.startsWith(ZODS_OWN) ? formatName(issue.format, issue.pattern) : issue.message;
    default:
      // Checks of our own say what they expect; zod's are told above.
      return issue.message.startsWith(ZODS_OWN) ? 'what the description of this call says' : issue.message;
  }
}

/** How zod's own messages begin. */
const ZODS_OWN = 'Invalid';

const typeNames: ReadonlyMap<string, string> = new Map([
  ['int', 'an integer'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['boolean', 'true or false'],
]);

function unitOf(origin: string, count: number | bigint): string {
  if (origin === 'string') return count === 1 ? ' character' : ' characters';
  if (origin === 'array') return count === 1 ? ' entry' : ' entries';
  return '';
}

const formatNames: ReadonlyMap<string, string> = new Map([
  ['date', 'a date (YYYY-MM-DD)'],
  ['datetime', 'a date-time (ISO 8601)'],
  ['email', 'an e-mail address'],
  ['url', 'an address (https://…)'],
]);

function formatName(format: string, pattern: string | undefined): string {
  return (
    formatNames.get(format) ?? (pattern === undefined ? `a valid ${format}` : `text that matches ${pattern}`)
  );
}

/** What came, short enough for an error and never more than text. */
function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing');
}

/** Text from outside, short enough for an error or a list of names. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
