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

/** How the uploads of each website end, by the clock hour, until the others know. */
export interface Outcomes {
  /** Counts an upload whose website is known. */
  note(
    websiteId: string,
    outcome: UploadOutcome,
    rejection: Omit<LineRejection, 'at' | 'source'> | null,
  ): void;
  /** What is to be told now; with `all` whatever is untold. Null: nothing. */
  due(all: boolean): UploadsRecord | null;
  /** The others will get it. */
  markTold(record: UploadsRecord): void;
}

interface Entry extends WebsiteUploads {
  /** What the others know of. */
  told: { readonly counts: UploadCounts; readonly kind: string; readonly at: number } | null;
}

/** A website that sends on and on is told of once in this time. */
const REPEAT_MS = MINUTE_MS;
/** What ended in another way than before is told of at once, but not more often. */
const NEWS_MS = SECOND_MS;
/** A record stays far below what the log takes. */
const MOST_WEBSITES = 200;
/** Characters: reasons may quote what was sent. */
const LONGEST_REASON = 300;

/** Memory grows with the websites that send, not with time: an hour gone by is forgotten when it was told. */
export function createOutcomes({ replicaId, now }: { replicaId: string; now: () => number }): Outcomes {
  const entries = new Map<string, Entry>();

  function isDue({ counts, hourStart, told, ...entry }: Entry, at: number): boolean {
    if (told === null) return true;
    if (told.counts === counts) return false;
    if (hourStart !== hourStartOf(at)) return true;
    return at - told.at >= (told.kind === kindOf(entry) ? REPEAT_MS : NEWS_MS);
  }

  function forgetTold(at: number): void {
    for (const [key, { hourStart, told, counts }] of entries)
      if (hourStart !== hourStartOf(at) && told?.counts === counts) entries.delete(key);
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
      entries.set(key, {
        websiteId,
        hourStart,
        counts: addUploads(before?.counts ?? noUploads, one),
        last: laterOf(before?.last ?? null, { ...outcome, reason: cut(outcome.reason) })!,
        lastRejection: laterOf(before?.lastRejection ?? null, found),
        told: before?.told ?? null,
      });
    },

    due(all) {
      const at = now();
      const websites: WebsiteUploads[] = [];
      for (const entry of entries.values()) {
        if (entry.told?.counts === entry.counts || !(all || isDue(entry, at))) continue;
        const { told: _, ...uploads } = entry;
        websites.push(uploads);
        if (websites.length === MOST_WEBSITES) break;
      }
      return websites.length === 0 ? null : { replicaId, websites };
    },

    markTold({ websites }) {
      const at = now();
      for (const uploads of websites) {
        const entry = entries.get(keyOf(uploads));
        if (entry !== undefined) entry.told = { counts: uploads.counts, kind: kindOf(uploads), at };
      }
      forgetTold(at);
    },
  };
}

const keyOf = ({ websiteId, hourStart }: Pick<WebsiteUploads, 'websiteId' | 'hourStart'>) =>
  `${hourStart} ${websiteId}`;

/** What makes news of an upload. */
function kindOf({ last }: Pick<WebsiteUploads, 'last'>): string {
  return [last.kind, last.source, last.accepted > 0, last.rejected > 0].join(' ');
}

function cut(reason: string): string {
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
}
