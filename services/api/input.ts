import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { PublicError } from '../../shared/errors.js';

/** What a caller sent, held against an operation's schema. */

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
      `body: nested more than ${MAX_BODY_DEPTH} deep; what this path takes is flat`,
    );
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new PublicError('invalid_request', 'body: expected a JSON object, got something else', { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new PublicError('invalid_request', `body: expected a JSON object, got ${shown(body)}`);
  }
  return body as Record<string, unknown>;
}

/** @throws PublicError invalid_request naming the first wrong field, what was expected and what came. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const came = issue.path.reduce(ownValue, raw);
  const field = issue.path.length === 0 ? 'request' : issue.path.join('.');
  throw new PublicError('invalid_request', `${field}: ${describe(issue, came)}`);
}

function ownValue(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue, came: unknown): string {
  if (came === undefined) {
    return `required, expected ${issue.code === 'invalid_type' ? issue.expected : expected(issue)}`;
  }
  return `expected ${expected(issue)}, got ${shown(came)}`;
}

function expected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'an integer' : `a ${issue.expected}`;
    case 'too_small':
      return issue.origin === 'string' ? `at least ${issue.minimum} characters` : `at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' ? `at most ${issue.maximum} characters` : `at most ${issue.maximum}`;
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`;
    default:
      // Checks of our own say what they expect; zod's are told above.
      return issue.message;
  }
}

/** What came, short enough for an error and never more than text. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
