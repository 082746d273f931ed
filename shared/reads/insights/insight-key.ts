import { createHash } from 'node:crypto';
import { PublicError } from '../../errors.js';
import { normalPath } from '../../urls/normal-spelling.js';

/** The identity of an insight. */
export interface InsightKey {
  readonly websiteId: string;
  /** `/`: the whole website; otherwise the path of one page. */
  readonly page: string;
  /** As from `canonicalFilters`. */
  readonly filters: string;
}

/** The whole website, without filters: written each night. */
export const wholeWebsite = { page: '/', filters: '{}' } as const;

export const MOST_PAGE_CHARACTERS = 2_000;

/** @throws PublicError invalid_request if it is not a path. */
export function checkedPage(page: string): string {
  const path = normalPath(page);
  if (!path.startsWith('/') || path.length > MOST_PAGE_CHARACTERS)
    throw new PublicError(
      'invalid_request',
      `page: expected / or the path of a page of the website, of at most ${MOST_PAGE_CHARACTERS} characters`,
    );
  return path;
}

/** Hexadecimal digits of an id: 52 bits, which every JSON reader represents exactly. */
const ID_DIGITS = 13;

/**
 * Deterministic: the same insight of the same day has the same id.
 * @param day UTC, `2026-11-22`.
 */
export function insightIdOf({ websiteId, page, filters }: InsightKey, day: string): number {
  const digest = createHash('sha256').update([websiteId, day, page, filters].join('\n')).digest('hex');
  return Number.parseInt(digest.slice(0, ID_DIGITS), 16);
}
