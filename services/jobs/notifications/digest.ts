import { fingerprintOf, rankOf } from '../../../shared/alerts/alert.js';
import type { AlertSettings } from '../../../shared/alerts/settings.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { groupIncidents, type Incident } from '../../../shared/reads/alerts/incidents.js';
import type { MessageAlert } from './messages/alert-traces.js';
import type { DigestContent, DigestIncident } from './messages/content.js';

/** A day of alerts in one e-mail. Pure; every instant is in milliseconds since the epoch. */

/** Alerts found before the hour are stored by then. */
const SETTLED_MS = 5 * MINUTE_MS;
/** A digest that is later than this is not sent. */
const LATEST_MS = 6 * HOUR_MS;
/** In one e-mail. */
const MOST_INCIDENTS = 50;

/** The digest that is due at `now`; null if none is. `day` names it: there is one digest per UTC day. */
export function dueDigest(
  { digest_send_hour_utc: hour }: Pick<AlertSettings, 'digest_send_hour_utc'>,
  now: number,
): { readonly day: string; readonly from: number; readonly to: number } | null {
  const today = Math.floor(now / DAY_MS) * DAY_MS + hour * HOUR_MS;
  const to = today + SETTLED_MS <= now ? today : today - DAY_MS;
  if (now - to > LATEST_MS) return null;
  return { day: new Date(to).toISOString().slice(0, 10), from: to - DAY_MS, to };
}

/** @param alerts of the day, the oldest first. @returns null if the settings leave no alert */
export function digestOf(
  alerts: readonly MessageAlert[],
  { from, to }: { readonly from: number; readonly to: number },
  settings: Pick<AlertSettings, 'min_digest_severity' | 'email_disabled_types'>,
): DigestContent | null {
  const lines = alerts
    .filter(({ severity }) => rankOf(severity) >= settings.min_digest_severity)
    .filter(({ type }) => !settings.email_disabled_types.includes(type))
    .map((alert) => ({ ...alert, fingerprint: fingerprintOf(alert) }));
  const incidents = groupIncidents(lines)
    .map(toDigestIncident)
    .sort((one, other) => rankOf(other.severity) - rankOf(one.severity) || other.lastSeen - one.lastSeen);
  if (incidents.length === 0) return null;
  const shown = incidents.slice(0, MOST_INCIDENTS);
  return { from, to, incidents: shown, more: incidents.length - shown.length };
}

function toDigestIncident({ firstSeen, lastSeen, alerts }: Incident<MessageAlert>): DigestIncident {
  const { type, severity, subject, message } = alerts[0]!;
  const isImported = alerts.every(({ fromImport }) => fromImport);
  return {
    type,
    severity,
    subject,
    message,
    startedAt: firstSeen,
    lastSeen,
    alerts: alerts.length,
    isImported,
  };
}
