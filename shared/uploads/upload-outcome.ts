/** Outcome of an upload, reported to the website's owner (GET /setup). */

/**
 * `taken`: answered 200, although some lines may be rejected. `refused`: answered 4xx; a repeat would be refused again.
 * `failed`: answered 5xx; the sender should retry. `aborted`: the sender disconnected early.
 */
export const outcomeKinds = ['taken', 'refused', 'failed', 'aborted'] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

export interface LineCounts {
  readonly accepted: number;
  readonly rejected: number;
  readonly skipped: number;
}

export interface UploadOutcome extends LineCounts {
  /** End of the upload, milliseconds since the epoch. */
  readonly at: number;
  readonly kind: OutcomeKind;
  /** Name of the source (log format); null if none was recognised. */
  readonly source: string | null;
  /** Reason sent to the sender; '' if everything was accepted. */
  readonly reason: string;
}

/** A rejected line. */
export interface LineRejection {
  readonly at: number;
  readonly source: string | null;
  /** Line number in the upload, from 1. */
  readonly line: number;
  readonly reason: string;
}

/** Totals of a period. */
export interface UploadCounts extends LineCounts {
  /** Uploads answered 200. */
  readonly taken: number;
  /** All other uploads. */
  readonly refused: number;
}

export const noUploads: UploadCounts = { taken: 0, refused: 0, accepted: 0, rejected: 0, skipped: 0 };

export function addUploads(one: UploadCounts, other: UploadCounts): UploadCounts {
  return combine(one, other, (a, b) => a + b);
}

/** The later of two cumulative counts of the same uploads. */
export function laterUploads(one: UploadCounts, other: UploadCounts): UploadCounts {
  return combine(one, other, Math.max);
}

function combine(one: UploadCounts, other: UploadCounts, of: (a: number, b: number) => number): UploadCounts {
  return {
    taken: of(one.taken, other.taken),
    refused: of(one.refused, other.refused),
    accepted: of(one.accepted, other.accepted),
    rejected: of(one.rejected, other.rejected),
    skipped: of(one.skipped, other.skipped),
  };
}

/** The later of two events. At equal times the choice does not depend on the order. */
export function laterOf<Event extends { readonly at: number; readonly reason: string }>(
  one: Event | null,
  other: Event | null,
): Event | null {
  if (one === null || other === null) return one ?? other;
  if (one.at !== other.at) return one.at > other.at ? one : other;
  return one.reason >= other.reason ? one : other;
}
