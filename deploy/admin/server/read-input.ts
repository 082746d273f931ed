import type { z } from 'zod';
import { PublicError } from '../../../shared/errors.js';

/** Validates the input of the command line. */

export function readQuery<T>(schema: z.ZodType<T>, query: unknown): T {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  throw new PublicError(
    'invalid_request',
    parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '),
  );
}

/** @throws PublicError that names the field. */
export function readBody<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(readJson(text));
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new PublicError('invalid_request', [...path, message].join(': '));
}

/** @throws PublicError */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PublicError('invalid_request', 'the body must be JSON');
  }
}
