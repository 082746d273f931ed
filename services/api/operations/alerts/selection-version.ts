import { z } from 'zod';
import { DAY_MS } from '../../../../shared/durations.js';
import { PublicError } from '../../../../shared/errors.js';
import type { AlertSelection } from '../../../../shared/reads/alerts/alerts-sql.js';
import { FIRST_DAY, LAST_DAY } from '../../../../shared/store/column-bounds.js';
import { decodeToken, digestOfQuestion, encodeToken } from '../../operation/bound-token.js';
import { MAX_WINDOW_MS } from '../../operation/resolve-scope.js';

/**
 * Keeps the pages of a selected window stable while alerts arrive (spec §4.8): the window as of the first page, and which of the
 * newest alerts existed then. An alert is stored minutes after its timestamp, so the timestamp does not show whether it existed.
 * The version therefore contains a hash of each of the {@link MOST_HASHES} newest alerts. A newer alert that is not among them is left
 * out. Older alerts are only counted. If one of those arrives later (a detector catches up after hours), the pages can not be kept
 * stable and the call fails. A merge into an alert changes its content, never its position.
 *
 * The version grants no access: the website still comes from the path.
 */
export interface SelectionVersion {
  readonly selection: AlertSelection & { readonly newest: NonNullable<AlertSelection['newest']> };
  /** Alerts on all pages. */
  readonly total: number;
}

/** Four bytes each, so that a version has fewer than 1,600 characters. */
export const MOST_HASHES = 256;
const HASH_BYTES = 4;

export const MAX_VERSION_LENGTH = 2_000;

const instant = z
  .int()
  .min(Date.parse(FIRST_DAY))
  .max(Date.parse(LAST_DAY) + DAY_MS);
const encoded = z.tuple([
  instant,
  instant,
  z.int().min(0),
  z.string().max(100),
  z.string(),
  z.string().max(MOST_HASHES * HASH_BYTES * 2),
]);

/** @param question all parameters that select alerts, with the website and without the page size. */
export function encodeVersion({ selection, total }: SelectionVersion, question: unknown): string {
  const hashes = Buffer.alloc(selection.newest.hashes.length * HASH_BYTES);
  selection.newest.hashes.forEach((hash, index) => {
    hashes.writeUInt32LE(hash, index * HASH_BYTES);
  });
  const { start, end, newest } = selection;
  const parts: z.infer<typeof encoded> = [
    start,
    end,
    total,
    newest.boundary,
    digestOfQuestion(question),
    hashes.toString('base64url'),
  ];
  return encodeToken(parts);
}

/** @throws PublicError invalid_request if the text is no version or belongs to another question. */
export function decodeVersion(text: string, question: unknown): SelectionVersion {
  const parsed = encoded.safeParse(decodeToken(text));
  if (!parsed.success) throw notAVersion();
  const [start, end, total, boundary, madeFor, hashText] = parsed.data;
  const bytes = Buffer.from(hashText, 'base64url');
  if (start >= end || end - start > MAX_WINDOW_MS || bytes.length > MOST_HASHES * HASH_BYTES)
    throw notAVersion();
  if (madeFor !== digestOfQuestion(question))
    throw new PublicError(
      'invalid_request',
      'selection_version: belongs to another selection; repeat the window and type of the first page',
    );
  const hashes = Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, index) =>
    bytes.readUInt32LE(index * HASH_BYTES),
  );
  return { selection: { start, end, newest: { boundary, hashes } }, total };
}

function notAVersion(): PublicError {
  return new PublicError(
    'invalid_request',
    'selection_version: expected the selection_version of an earlier answer',
  );
}
