import { isIP } from 'node:net';
import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { commandKind } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { Resolution } from '../domain/model.js';
import type { ControlState } from '../domain/state.js';
import { refuseResolution } from './organisation-room.js';
import { unknownWebsite } from './website.js';

/** Recommendations that were marked as done (spec §3.6). */

/** One aggregate per website, so reopened recommendations leave no data. */
const LIST = 'resolution_list';

/** Longer paths are not real pages. */
export const MAX_RECOMMENDATION_KEY = 2048;

/** Description of the forms that `isRecommendationKey` accepts. */
export const RECOMMENDATION_KEY_FORMS =
  'a key in the form ip:<ip>, 404:<path>, unverified:<bot>:<ip> or slow:<path>, where a path begins with /';

/** Whether a list of recommendations can contain the key (spec §2.10). */
export function isRecommendationKey(key: string): boolean {
  const end = key.indexOf(':');
  const subject = key.slice(end + 1);
  switch (key.slice(0, Math.max(end, 0))) {
    case 'ip':
      return isIP(subject) !== 0;
    case '404':
    case 'slow':
      return subject.startsWith('/');
    case 'unverified':
      return namesBotAndAddress(subject);
    default:
      return false;
  }
}

/** `<bot>:<ip>`; both may contain colons. */
function namesBotAndAddress(subject: string): boolean {
  for (let at = subject.indexOf(':', 1); at > 0; at = subject.indexOf(':', at + 1))
    if (subject.length - at <= LONGEST_ADDRESS && isIP(subject.slice(at + 1)) !== 0) return true;
  return false;
}

/** Including the colon before it. */
const LONGEST_ADDRESS = 46;

const idOf = (websiteId: string, key: string) => `${websiteId}/${key}`;

export const recommendationResolved = eventKind({
  aggregate: LIST,
  type: 'recommendation.resolved',
  schema: z.object({ websiteId: z.string(), key: z.string() }),
  evolve(state, _websiteId, { websiteId, key }, at) {
    state.resolutions.put({ id: idOf(websiteId, key), websiteId, key, resolvedAt: at });
  },
});

export const recommendationReopened = eventKind({
  aggregate: LIST,
  type: 'recommendation.reopened',
  schema: z.object({ websiteId: z.string(), key: z.string() }),
  evolve(state, _websiteId, { websiteId, key }) {
    state.resolutions.remove(idOf(websiteId, key));
  },
});

const key = z.string().max(MAX_RECOMMENDATION_KEY).refine(isRecommendationKey, RECOMMENDATION_KEY_FORMS);

/** A repeated resolution has the later time: earlier alerts no longer reopen the recommendation. */
export const resolveRecommendation = commandKind({
  schema: z.strictObject({ websiteId: z.string(), key }),
  decide(state, { websiteId, key }) {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    const id = idOf(websiteId, key);
    const full = state.resolutions.get(id) === undefined ? refuseResolution(state, websiteId) : null;
    if (full !== null) return full;
    return {
      events: [nextEvent(state, recommendationResolved, websiteId, { websiteId, key })],
      answer: (after): Resolution => after.resolutions.get(id)!,
    };
  },
});

/** Idempotent. */
export const reopenRecommendation = commandKind({
  schema: z.strictObject({ websiteId: z.string(), key }),
  decide(state, { websiteId, key }) {
    const id = idOf(websiteId, key);
    return {
      events:
        state.resolutions.get(id) === undefined
          ? []
          : [nextEvent(state, recommendationReopened, websiteId, { websiteId, key })],
      answer: (): { key: string } => ({ key }),
    };
  },
});

/**
 * An alert counts only if its last interval ends at least this much after the resolution, since a fix needs time to
 * take effect.
 */
export const ALERT_GRACE_MS = HOUR_MS;
/** Requests need a longer grace period than alerts: caches and crawlers continue for a while. */
export const EVIDENCE_GRACE_MS = DAY_MS;

/** Newest evidence for a recommendation, milliseconds since the epoch; null: none. */
export interface NewestEvidence {
  /** `lastSeen` of an alert. */
  readonly alertAt: number | null;
  /** A request that would justify the recommendation by itself. */
  readonly requestAt: number | null;
}

/**
 * Whether a recommendation is hidden from lists: resolved, without a later alert (spec §3.6) or later requests. The
 * resolution itself stays: an older window, without the newer evidence, shows it as resolved.
 */
export function isResolved(
  state: ControlState,
  { websiteId, key, newest }: { websiteId: string; key: string; newest: NewestEvidence },
): boolean {
  const resolution = state.resolutions.get(idOf(websiteId, key));
  if (resolution === undefined) return false;
  const at = Date.parse(resolution.resolvedAt);
  const isLater = (moment: number | null, graceMs: number) => moment !== null && moment > at + graceMs;
  return !isLater(newest.alertAt, ALERT_GRACE_MS) && !isLater(newest.requestAt, EVIDENCE_GRACE_MS);
}
