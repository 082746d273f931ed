import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { PublicError } from '../../../shared/errors.js';
import { head } from '../../../shared/text-head.js';

/** Checks the input of a caller against an operation's schema. A refusal is a sentence with the field, the expected and the received value. */

/** Maximum JSON body of a write; the largest valid one (a segment of 60 rules) is far smaller. */
export const MAX_BODY_BYTES = 256 * 1024;

/** Nesting of lists and objects. The deepest valid body has 3 levels. The check and the error message recurse as deep as the body. */
const MAX_BODY_DEPTH = 32;

/** Works on the text before it is parsed. The result for text that is no JSON does not matter: parsing refuses it. */
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
      `body: nested more than ${MAX_BODY_DEPTH} deep; valid bodies are flat.`,
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

/** @throws PublicError invalid_request with the first wrong field, the expected and the received value. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const came = issue.path.reduce(ownValue, raw);
  const field = issue.path.length === 0 ? 'request' : fieldName(issue.path);
  throw new PublicError('invalid_request', `${field}: ${describe(issue, came)}.`);
}

/** Like {@link parseInput}, but refuses unknown fields: a misspelt one would be ignored silently. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  refuseUnknown(schema, raw, []);
  return parseInput(schema, raw);
}

function refuseUnknown(anySchema: unknown, raw: unknown, path: readonly PropertyKey[]): void {
  const schema = unwrapped(anySchema);
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
    const expected =
      fields.size === 0 ? 'this call takes none' : `expected one of ${[...fields.keys()].join(', ')}`;
    throw new PublicError(
      'invalid_request',
      `${fieldName([...path, shortened(name)])}: unknown field; ${expected}.`,
    );
  }
}

/** Removes optional, nullable and default. */
function unwrapped(anySchema: unknown): unknown {
  let schema = anySchema;
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
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`;
    case 'invalid_format':
      return issue.message.startsWith(ZODS_OWN) ? formatName(issue.format, issue.pattern) : issue.message;
    default:
      // Our own checks have a message with the expected value. Zod's messages are replaced above.
      return issue.message.startsWith(ZODS_OWN)
        ? 'a value that matches the description of this call'
        : issue.message;
  }
}

/** Prefix of zod's own messages. */
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

/** The received value as short text for an error. */
function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing');
}

/** Foreign text, shortened for an error or a list of names. */
export function shortened(text: string): string {
  return text.length > 60 ? `${head(text, 60)}…` : text;
}
