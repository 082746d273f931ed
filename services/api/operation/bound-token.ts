import { createHash } from 'node:crypto';

/**
 * What tokens that callers hand back (cursors, versions of selections) have in common: JSON in base64url, bound to the question by a digest
 * among its parts. They grant nothing: the website still comes from the path.
 */

export function encodeToken(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @returns what it holds, of any form; undefined where it is no JSON. */
export function decodeToken(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Stands in a token for the question that it belongs to. @param question what JSON can hold */
export function digestOfQuestion(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 16);
}
