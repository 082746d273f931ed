import type { LineRejection, UploadOutcome } from '../../../../shared/uploads/upload-outcome.js';
import type { RecentUploads } from '../../arrivals/known-uploads.js';

/** What the owner of a website should do next, by what has arrived. */

export type LogState = 'waiting' | 'receiving' | 'stale';

export interface SetupFacts {
  readonly state: LogState;
  readonly websiteId: string;
  /** YYYY-MM-DD, UTC; null: never. */
  readonly lastReceivedDate: string | null;
  readonly recent: RecentUploads;
  /** Lines were accepted that are not stored yet. */
  readonly isPending: boolean;
  readonly ingestUrl: string;
  readonly guideUrl: string;
  /** Whether that is a sender's guide; else it is the list of all. */
  readonly isGuideKnown: boolean;
}

/** Of 100 lines, or uploads: more is a setting that is wrong, fewer are lines that were cut off. */
const MUCH_PERCENT = 5;

export function nextSteps(facts: SetupFacts): string[] {
  const { last } = facts.recent;
  const troubles = last === null ? [] : [...endedBadly(last), ...linesLost(facts)];
  if (troubles.length > 0) return [...troubles, `What this source has to send is said at ${facts.guideUrl}.`];
  if (facts.state === 'receiving') return [begin(facts), ...notTakenBefore(facts)];
  if (facts.isPending || (last !== null && last.accepted > 0))
    return ['Requests have just arrived: they are counted within seconds. Ask for this status again.'];
  return facts.state === 'stale' ? nothingSince(facts) : waitFor(facts);
}

/** An upload that was not taken, and nothing was since. */
function endedBadly({ kind, at, reason }: UploadOutcome): string[] {
  const when = new Date(at).toISOString();
  switch (kind) {
    case 'taken':
      return [];
    case 'refused':
      return [
        `The last upload (${when}) was refused, and would be again: ${reason} Change the sender’s setting and send it once more.`,
      ];
    case 'failed':
      return [
        `The last upload (${when}) was not taken: ${reason} The sender must repeat it; most do by themselves.`,
      ];
    case 'aborted':
      return [
        `The last upload (${when}) was cut off by the sender before its end, or by a proxy on the way. Look at the sender’s time-outs and its own log.`,
      ];
  }
}

/** Uploads whose lines are no requests. */
function linesLost({ recent: { counts, last, lastRejection } }: SetupFacts): string[] {
  const { accepted, rejected, skipped } = counts;
  if (accepted + rejected + skipped === 0)
    return last?.kind === 'taken'
      ? ['Uploads arrive, and they are empty. Look at what the sender selects to be sent.']
      : [];
  if (accepted === 0 && rejected === 0)
    return [
      `All ${skipped} lines of the last 24 hours were skipped: they are no visitors’ requests (lines of a function, of a CDN between its own servers). Let the sender send request logs.`,
    ];
  // Mended since.
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

/** Uploads that ended badly before the last one: of two senders one may have a wrong setting, or batches that are too large. */
function notTakenBefore({ recent: { counts } }: SetupFacts): string[] {
  const all = counts.taken + counts.refused;
  if (counts.refused === 0 || counts.refused * 100 < all * MUCH_PERCENT) return [];
  return [
    `${counts.refused} of ${all} uploads of the last 24 hours were not taken. The answer to each stands in its sender’s own log; most senders repeat on 503, and drop what was answered 4xx.`,
  ];
}

function begin({ websiteId }: SetupFacts): string {
  return `Logs arrive. Begin with GET /public/v1/websites/${websiteId}/summary, or watch GET /public/v1/websites/${websiteId}/live.`;
}

function nothingSince({ lastReceivedDate, ingestUrl, guideUrl }: SetupFacts): string[] {
  return [
    `Nothing has come since ${lastReceivedDate}. Check that the sender still runs and look at the answers it got: 401 means that its ingest key is wrong or revoked, 503 that it must repeat the upload, or that the hour’s quota is used up.`,
    `Check that it sends to ${ingestUrl} with the header X-API-Key.`,
    `The steps of the setup are at ${guideUrl}.`,
  ];
}

function waitFor({ ingestUrl, guideUrl, isGuideKnown }: SetupFacts): string[] {
  return [
    isGuideKnown
      ? `Follow the guide at ${guideUrl}; other senders’ guides are beside it. It has the settings to paste.`
      : `Choose the guide of your server, CDN or log shipper at ${guideUrl}. It has the settings to paste.`,
    `Or try it with a file: curl "${ingestUrl}" -H "X-API-Key: $INGEST_KEY" --data-binary @access.log`,
    'Then ask for this status again: it turns to receiving within seconds of the first upload. An upload with a wrong key (401) shows in the sender’s log alone.',
  ];
}
