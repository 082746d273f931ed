/** How an upload ended, as its sender's owner wants to know it (GET /setup). */

/**
 * `taken`: answered 200, be some of its lines rejected. `refused`: answered 4xx; the same upload would be refused again.
 * `failed`: answered 5xx; the sender should repeat it. `aborted`: the sender was gone before its end.
 */
export const outcomeKinds = ['taken', 'refused', 'failed', 'aborted'] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

export interface LineCounts {
  readonly accepted: number;
  readonly rejected: number;
  readonly skipped: number;
}

export interface UploadOutcome extends LineCounts {
  /** Its end, milliseconds since the epoch. */
  readonly at: number;
  readonly kind: OutcomeKind;
  /** Name of the source (log format); null where none was recognised. */
  readonly source: string | null;
  /** What the sender was told; '' where all was taken. */
  readonly reason: string;
}

/** A line that was not taken. */
export interface LineRejection {
  readonly at: number;
  readonly source: string | null;
  /** In its upload, from 1. */
  readonly line: number;
  readonly reason: string;
}

/** Sums of some time. */
export interface UploadCounts extends LineCounts {
  /** Answered 200. */
  readonly taken: number;
  /** All others. */
  readonly refused: number;
}

export const noUploads: UploadCounts = { taken: 0, refused: 0, accepted: 0, rejected: 0, skipped: 0 };

export function addUploads(one: UploadCounts, other: UploadCounts): UploadCounts {
  return combine(one, other, (a, b) => a + b);
}

/** Of two cumulative counts of the same uploads the later one. */
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

/** Of two the later; of two at the same time always the same one, in whatever order they come. */
export function laterOf<Event extends { readonly at: number; readonly reason: string }>(
  one: Event | null,
  other: Event | null,
): Event | null {
  if (one === null || other === null) return one ?? other;
  if (one.at !== other.at) return one.at > other.at ? one : other;
  return one.reason >= other.reason ? one : other;
}
