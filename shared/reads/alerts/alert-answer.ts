import { z } from '@hono/zod-openapi';
import { alertTypeNames, severities } from '../../alerts/alert.js';
import { count } from '../answer/figures.js';
import { instant, moment, toInstant } from '../answer/instant.js';
import type { AlertRow } from './alerts-sql.js';

/** The type may be one that only a later release knows. */
export const alertType = z.string().openapi({
  description: `Type of the finding: ${alertTypeNames.join(', ')}.`,
  example: 'error_rate',
});

/** An alert (spec §2.4). */
export const alert = z
  .object({
    website_id: z.string(),
    alert_id: z.string().openapi({ example: '2026-11-21T09:00:00.000Z#4f2a9c' }),
    alert_type: alertType,
    severity: z.enum(severities),
    message: z.string().openapi({ description: 'One sentence with the figures.' }),
    details: z.record(z.string(), z.unknown()).openapi({
      description:
        'Evidence for the figures of the message. Its fields depend on the type; later versions may add fields. If a repeat was worse than the first finding, message and details are those of the worst one: `at` is its end, and `first` has the evidence of the first finding. The alert began after `began_after`. `first_request_at` and `last_request_at` are the times of the first and the last request that it is about, until last_seen; absent: it is not about single requests.',
    }),
    acknowledged: z.boolean(),
    acknowledged_at: moment('When it was first acknowledged; null: it is not.'),
    acknowledged_by: z.string().nullable().openapi({
      description:
        'Who acknowledged it: the e-mail address of a user, or the name of a key; null: nobody, or somebody who was erased.',
      example: 'ann@example.com',
    }),
    created_at: instant.openapi({
      description: 'End of the window of the first finding, not the beginning: see details.',
    }),
    fingerprint: z.string().openapi({
      description: 'alert_type|severity|subject: alerts about the same thing share it.',
      example: 'error_rate|warning|',
    }),
    last_seen: instant.optional().openapi({
      description:
        'End of the window of the last finding; only present if repeats were merged into the alert.',
    }),
    occurrences: count(
      'Number of findings, including the first; only present if repeats were merged into the alert.',
    ).optional(),
  })
  .openapi('Alert');

/** The name of an actor for people; null: it is unknown. */
export type NameOfActor = (actor: string) => string | null;

export function toAlert(websiteId: string, row: AlertRow, nameOf: NameOfActor): z.input<typeof alert> {
  const { alertId, type, severity, message, acknowledged, fingerprint, occurrences } = row;
  const { acknowledgedAt, acknowledgedBy } = row;
  return {
    website_id: websiteId,
    alert_id: alertId,
    alert_type: type,
    severity,
    message,
    details: readDetails(row.details),
    acknowledged,
    acknowledged_at: acknowledgedAt === 0 ? null : toInstant(acknowledgedAt),
    acknowledged_by: acknowledgedBy === '' ? null : nameOf(acknowledgedBy),
    created_at: toInstant(row.createdAt),
    fingerprint,
    ...(occurrences > 1 && { last_seen: toInstant(row.lastSeen), occurrences }),
  };
}

/** A details text that is not an object must not fail the whole list. */
function readDetails(text: string): Record<string, unknown> {
  try {
    const read = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}
