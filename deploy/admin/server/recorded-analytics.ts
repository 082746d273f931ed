import { z } from 'zod';
import { insertSourceSync } from '../../../shared/connections/source-syncs.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { PublicError } from '../../../shared/errors.js';
import {
  ANALYTICS_KIND,
  analyticsConnectionOf,
} from '../../../shared/reads/analytics/analytics-connection.js';
import { writeAnalyticsDay } from '../../../shared/reads/analytics/analytics-writes.js';
import type { ClickHouse } from '../../../shared/store/client.js';

/** Recorded answers of web analytics, stored by the operator as a sync would store them. */

const count = z.int().min(0);
const sessions = { sessions: count, engagedSessions: count, keyEvents: count, revenue: z.number() };
const views = { pageviews: count, activeUsers: count, engagementSecs: count };

export const recordedAnalytics = z.strictObject({
  websiteId: z.string(),
  /** Time of the recording, milliseconds since the epoch; the later recording of a day counts. */
  at: z.int(),
  /** First recorded day. Every day from it to the day of `totals` was recorded. */
  from: z.iso.date(),
  totals: z.strictObject({
    ...{ day: z.iso.date(), ...sessions, ...views },
    ...{ currency: z.string(), timeZone: z.string() },
  }),
  pages: z.array(
    z.strictObject({ path: z.string(), ...sessions, ...views, aiSessions: count, searchSessions: count }),
  ),
  sources: z.array(
    z.strictObject({ source: z.string(), medium: z.string(), aiOperator: z.string(), ...sessions }),
  ),
});
export type RecordedAnalytics = z.input<typeof recordedAnalytics>;

/** Stores the recording. The website must be connected to web analytics. @throws PublicError */
export async function storeRecordedAnalytics(
  clickhouse: ClickHouse,
  control: ControlPlane,
  { websiteId, at, from, ...day }: z.output<typeof recordedAnalytics>,
) {
  const connection = analyticsConnectionOf(control.state(), websiteId);
  if (connection === null)
    throw new PublicError('invalid_request', 'connect the website to web analytics first');
  await writeAnalyticsDay(clickhouse, connection, at, day);
  const { sourceId } = connection;
  const through = day.totals.day;
  await insertSourceSync(clickhouse, ANALYTICS_KIND, {
    ...{ websiteId, sourceId, attemptedAt: at, lastSyncAt: at, dataThrough: through, problem: null },
    ...{ counts: { days: 1, days_left: 0 }, marks: { from } },
  });
  return { websiteId, day: through, pages: day.pages.length };
}
