import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import { commandKind } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { BotSuppression } from '../domain/model.js';
import type { ControlState } from '../domain/state.js';
import { refuseSuppression } from './organisation-room.js';
import { unknownWebsite } from './website.js';

/** Bots whose SEO-error alerts are suppressed for some days (spec §3.5). */

export const MAX_SUPPRESSION_DAYS = 365;
/** Long enough to fix a known problem, short enough not to be forgotten. */
export const DEFAULT_SUPPRESSION_DAYS = 30;

/** One aggregate per website, so ended suppressions leave no data. */
const LIST = 'suppression_list';

const idOf = (websiteId: string, crawler: string) => `${websiteId}/${crawler}`;

export const botSuppressed = eventKind({
  aggregate: LIST,
  type: 'bot.suppressed',
  schema: z.object({
    websiteId: z.string(),
    crawler: z.string(),
    until: z.string(),
    reason: z.string().nullable(),
  }),
  evolve(state, websiteId, data, at) {
    for (const { id, until } of state.suppressions.by('websiteId', websiteId))
      if (until <= at) state.suppressions.remove(id);
    state.suppressions.put({ id: idOf(websiteId, data.crawler), ...data, createdAt: at });
  },
});

export const botSuppressionEnded = eventKind({
  aggregate: LIST,
  type: 'bot.suppression_ended',
  schema: z.object({ websiteId: z.string(), crawler: z.string() }),
  evolve(state, _websiteId, { websiteId, crawler }) {
    state.suppressions.remove(idOf(websiteId, crawler));
  },
});

const crawler = z.string().trim().min(1).max(200);

/** A repeated suppression has the new end. */
export const suppressBot = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    crawler,
    days: z.int().min(1).max(MAX_SUPPRESSION_DAYS).default(DEFAULT_SUPPRESSION_DAYS),
    reason: z.string().trim().max(500).nullable().default(null),
  }),
  decide(state, { websiteId, crawler, days, reason }, { now }) {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    const id = idOf(websiteId, crawler);
    const full = state.suppressions.get(id) === undefined ? refuseSuppression(state, websiteId) : null;
    if (full !== null) return full;
    const until = new Date(now + days * DAY_MS).toISOString();
    return {
      events: [nextEvent(state, botSuppressed, websiteId, { websiteId, crawler, until, reason })],
      answer: (after): BotSuppression => after.suppressions.get(id)!,
    };
  },
});

/** Idempotent. */
export const endBotSuppression = commandKind({
  schema: z.strictObject({ websiteId: z.string(), crawler }),
  decide(state, { websiteId, crawler }) {
    const id = idOf(websiteId, crawler);
    return {
      events:
        state.suppressions.get(id) === undefined
          ? []
          : [nextEvent(state, botSuppressionEnded, websiteId, { websiteId, crawler })],
      answer: (): { crawler: string } => ({ crawler }),
    };
  },
});

/**
 * Active suppressions at `now` (milliseconds since the epoch), for rules about a crawler's errors; oldest first. They
 * expire automatically.
 */
export function activeSuppressions(state: ControlState, websiteId: string, now: number): BotSuppression[] {
  return state.suppressions.by('websiteId', websiteId).filter(({ until }) => now < Date.parse(until));
}

/** Whether SEO-error alerts of this crawler are suppressed at `now`. */
export function isSuppressed(
  state: ControlState,
  { websiteId, crawler, now }: { websiteId: string; crawler: string; now: number },
): boolean {
  const held = state.suppressions.get(idOf(websiteId, crawler));
  return held !== undefined && now < Date.parse(held.until);
}
