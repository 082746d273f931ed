import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';
import { findByDigest } from './keys.js';
import type { StoredApiKey } from './model.js';
import type { ControlState } from './state.js';

/** How long sign-in links and sessions of the console live (docs/security.md). Both are stored as API keys of another kind. */

export const SIGN_IN_LINK_MS = 15 * MINUTE_MS;
export const SESSION_MS = 7 * DAY_MS;
/** A session ends after this time without a call. */
const SESSION_IDLE_MS = 12 * HOUR_MS;
/**
 * The control log has the last use of a session only so exactly: a record for every call would fill it. A session may therefore end this
 * much earlier.
 */
const SESSION_USE_INTERVAL_MS = 15 * MINUTE_MS;
/** For so long the list still shows links and sessions that have expired. */
export const SHOWN_AFTER_END_MS = DAY_MS;

/** The session of this cookie; null: it is unknown, was revoked, has expired or was idle. @param now milliseconds since the epoch. */
export function findSession(state: ControlState, token: string, now: number): StoredApiKey | null {
  const session = findByDigest('session', state.apiKeys, token, now);
  return session === null || isIdle(session, now) ? null : session;
}

export function isIdle(session: StoredApiKey, now: number): boolean {
  return now - lastUseOf(session) >= SESSION_IDLE_MS;
}

/** The link with this token; null: it is unknown, was used or revoked, or has expired. */
export function findSignInLink(state: ControlState, token: string, now: number): StoredApiKey | null {
  return findByDigest('signInLink', state.apiKeys, token, now);
}

/** Whether the use of a session at `now` is to be recorded. */
export function isUseDue(session: StoredApiKey, now: number): boolean {
  return now - lastUseOf(session) >= SESSION_USE_INTERVAL_MS;
}

function lastUseOf({ seenAt, createdAt }: StoredApiKey): number {
  return Date.parse(seenAt ?? createdAt);
}
