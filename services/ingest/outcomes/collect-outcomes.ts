import { MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import {
  addUploads,
  type LineRejection,
  laterOf,
  noUploads,
  type UploadCounts,
  type UploadOutcome,
} from '../../../shared/uploads/upload-outcome.js';
import type { UploadsRecord, WebsiteUploads } from '../../../shared/uploads/uploads-codec.js';
import { hourStartOf } from '../../../shared/usage/clock-hour.js';

/** Outcomes of uploads by website and clock hour, until they are reported to the other replicas. */
export interface Outcomes {
  /** Counts an upload whose website is known. */
  note(
    websiteId: string,
    outcome: UploadOutcome,
    rejection: Omit<LineRejection, 'at' | 'source'> | null,
  ): void;
  /** The counts to report now; with `all`, every unreported count. Null: nothing. */
  due(all: boolean): UploadsRecord | null;
  /** Call it when the record is in the log. */
  markReported(record: UploadsRecord): void;
}

interface Entry extends WebsiteUploads {
  /** The last reported counts. */
  reported: { readonly counts: UploadCounts; readonly kind: string; readonly at: number } | null;
}

/** A website that keeps sending is reported once in this time. */
const REPEAT_MS = MINUTE_MS;
/** An outcome of another kind is reported sooner, at most once in this time. */
const NEWS_MS = SECOND_MS;
/** Keeps a record far below the largest that the log takes. */
const MOST_WEBSITES = 200;
/** Characters: reasons may quote what was sent. */
const LONGEST_REASON = 300;

/** Memory grows with the number of sending websites and not with time: a past hour is removed when it is reported. */
export function createOutcomes({
  replicaId,
  now,
  onUploads,
}: {
  replicaId: string;
  now: () => number;
  /** Gets each upload's website at once. */
  onUploads?: ((record: UploadsRecord) => void) | undefined;
}): Outcomes {
  const entries = new Map<string, Entry>();

  function isDue({ counts, hourStart, reported, ...entry }: Entry, at: number): boolean {
    if (reported === null) return true;
    if (reported.counts === counts) return false;
    if (hourStart !== hourStartOf(at)) return true;
    return at - reported.at >= (reported.kind === kindOf(entry) ? REPEAT_MS : NEWS_MS);
  }

  function forgetReported(at: number): void {
    for (const [key, { hourStart, reported, counts }] of entries)
      if (hourStart !== hourStartOf(at) && reported?.counts === counts) entries.delete(key);
  }

  return {
    note(websiteId, outcome, rejection) {
      const hourStart = hourStartOf(outcome.at);
      const key = keyOf({ websiteId, hourStart });
      const before = entries.get(key);
      const { accepted, rejected, skipped, source, at } = outcome;
      const taken = outcome.kind === 'taken' ? 1 : 0;
      const one = { taken, refused: 1 - taken, accepted, rejected, skipped };
      const found = rejection === null ? null : { ...rejection, reason: cut(rejection.reason), at, source };
      const uploads: WebsiteUploads = {
        websiteId,
        hourStart,
        counts: addUploads(before?.counts ?? noUploads, one),
        last: laterOf(before?.last ?? null, { ...outcome, reason: cut(outcome.reason) })!,
        lastRejection: laterOf(before?.lastRejection ?? null, found),
      };
      entries.set(key, { ...uploads, reported: before?.reported ?? null });
      onUploads?.({ replicaId, websites: [uploads] });
    },

    due(all) {
      const at = now();
      const websites: WebsiteUploads[] = [];
      for (const entry of entries.values()) {
        if (entry.reported?.counts === entry.counts || !(all || isDue(entry, at))) continue;
        const { reported: _, ...uploads } = entry;
        websites.push(uploads);
        if (websites.length === MOST_WEBSITES) break;
      }
      return websites.length === 0 ? null : { replicaId, websites };
    },

    markReported({ websites }) {
      const at = now();
      for (const uploads of websites) {
        const entry = entries.get(keyOf(uploads));
        if (entry !== undefined) entry.reported = { counts: uploads.counts, kind: kindOf(uploads), at };
      }
      forgetReported(at);
    },
  };
}

const keyOf = ({ websiteId, hourStart }: Pick<WebsiteUploads, 'websiteId' | 'hourStart'>) =>
  `${hourStart} ${websiteId}`;

/** Outcomes of the same kind differ only in their counts. */
function kindOf({ last }: Pick<WebsiteUploads, 'last'>): string {
  return [last.kind, last.source, last.accepted > 0, last.rejected > 0].join(' ');
}

function cut(reason: string): string {
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
}
