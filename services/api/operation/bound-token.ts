import { createHash } from 'node:crypto';

/**
 * Format of tokens that callers send back (cursors, selection versions): JSON in base64url, with a digest that binds it to the question.
 * A token grants no access: the website still comes from the path.
 */

export function encodeToken(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @returns the content, of any form; undefined if it is no JSON. */
export function decodeToken(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Identifies a question in its tokens. @param question a value that JSON can represent */
export function digestOfQuestion(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 16);
}
