import type { LineRejection, UploadOutcome } from '../../../../shared/uploads/upload-outcome.js';
import type { RecentUploads } from '../../arrivals/known-uploads.js';

/** Next steps for the owner of a website, from the uploads so far. */

export type LogState = 'waiting' | 'receiving' | 'stale';

export interface SetupFacts {
  readonly state: LogState;
  readonly websiteId: string;
  /** YYYY-MM-DD, UTC; null: never. */
  readonly lastReceivedDate: string | null;
  readonly recent: RecentUploads;
  /** Accepted lines that are not stored yet. */
  readonly isPending: boolean;
  readonly ingestUrl: string;
  readonly guideUrl: string;
  /** Whether the address is a sender's guide; else it is the list of all guides. */
  readonly isGuideKnown: boolean;
}

/** Percent of the lines or uploads. More means a wrong setting; fewer are lines that were cut off. */
const MUCH_PERCENT = 5;

export function nextSteps(facts: SetupFacts): string[] {
  const { last } = facts.recent;
  const troubles = last === null ? [] : [...endedBadly(last), ...linesLost(facts)];
  if (troubles.length > 0)
    return [...troubles, `The format of this source is described at ${facts.guideUrl}.`];
  if (facts.state === 'receiving') return [begin(facts), ...notTakenBefore(facts)];
  if (facts.isPending || (last !== null && last.accepted > 0))
    return ['Requests have just arrived: they are counted within seconds. Check this status again.'];
  return facts.state === 'stale' ? nothingSince(facts) : waitFor(facts);
}

/** The newest upload was not taken. */
function endedBadly({ kind, at, reason }: UploadOutcome): string[] {
  const when = new Date(at).toISOString();
  switch (kind) {
    case 'taken':
      return [];
    case 'refused':
      return [
        `The last upload (${when}) was refused: ${reason} Change the sender’s setting and send it again.`,
      ];
    case 'failed':
      return [
        `The last upload (${when}) was not taken: ${reason} The sender must repeat it; most do by themselves.`,
      ];
    case 'aborted':
      return [
        `The last upload (${when}) was cut off by the sender before its end, or by a proxy on the way. Check the sender’s time-outs and its log.`,
      ];
  }
}

/** Uploads whose lines are not requests. */
function linesLost({ recent: { counts, last, lastRejection } }: SetupFacts): string[] {
  const { accepted, rejected, skipped } = counts;
  if (accepted + rejected + skipped === 0)
    return last?.kind === 'taken'
      ? ['Uploads arrive but are empty. Check which logs the sender selects.']
      : [];
  if (accepted === 0 && rejected === 0)
    return [
      `All ${skipped} lines of the last 24 hours were skipped: they are not visitors’ requests (lines of a function, or of a CDN between its own servers). Let the sender send request logs.`,
    ];
  // The problem is solved: a later upload was taken completely.
  if (last !== null && last.accepted > 0 && last.rejected === 0) return [];
  if (lastRejection === null || rejected * 100 < (accepted + rejected) * MUCH_PERCENT) return [];
  return [rejectedLines(accepted, rejected, lastRejection)];
}

function rejectedLines(
  accepted: number,
  rejected: number,
  { line, reason, source, at }: LineRejection,
): string {
  const of = accepted === 0 ? `All ${rejected}` : `${rejected} of ${accepted + rejected}`;
  const read = source === null ? 'no format was recognised' : `read as ${source}`;
  return `${of} lines of the last 24 hours were rejected. The last one, line ${line} of the upload at ${new Date(at).toISOString()} (${read}): ${reason}`;
}

/** Uploads that failed before the last one. One of two senders may have a wrong setting or too large batches. */
function notTakenBefore({ recent: { counts } }: SetupFacts): string[] {
  const all = counts.taken + counts.refused;
  if (counts.refused === 0 || counts.refused * 100 < all * MUCH_PERCENT) return [];
  return [
    `${counts.refused} of ${all} uploads of the last 24 hours were not taken. The sender’s log contains each answer. Most senders retry after 503 and drop uploads answered 4xx.`,
  ];
}

function begin({ websiteId }: SetupFacts): string {
  return `Logs arrive. Start with GET /public/v1/websites/${websiteId}/summary, or watch GET /public/v1/websites/${websiteId}/live.`;
}

function nothingSince({ lastReceivedDate, ingestUrl, guideUrl }: SetupFacts): string[] {
  return [
    `No uploads since ${lastReceivedDate}. Check that the sender still runs, and check the answers it got. 401: its ingest key is wrong or revoked. 503: it must repeat the upload, or the hour’s quota is used up.`,
    `Check that it sends to ${ingestUrl} with the header X-API-Key.`,
    `The steps of the setup are at ${guideUrl}.`,
  ];
}

function waitFor({ ingestUrl, guideUrl, isGuideKnown }: SetupFacts): string[] {
  return [
    isGuideKnown
      ? `Follow the guide at ${guideUrl}; it has the settings to paste. Guides of other senders are in the same list.`
      : `Choose the guide of your server, CDN or log shipper at ${guideUrl}. It has the settings to paste.`,
    `Or test with a file: curl "${ingestUrl}" -H "X-API-Key: $INGEST_KEY" --data-binary @access.log`,
    'Then check this status again: it changes to receiving within seconds of the first upload. Only the sender’s log shows an upload with a wrong key (401).',
  ];
}
