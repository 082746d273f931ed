import { insertSourceSync } from '../../shared/connections/source-syncs.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import {
  type AnalyticsConnection,
  analyticsConnectionOf,
} from '../../shared/reads/analytics/analytics-connection.js';
import type {
  AnalyticsDay,
  AnalyticsPage,
  SessionSource,
} from '../../shared/reads/analytics/analytics-measures.js';
import { writeAnalyticsDay } from '../../shared/reads/analytics/analytics-writes.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { granted } from './control-plane.js';

/** Stores web analytics for tests. */

/** Connects the website with an invalid credential. */
export async function connectAnalytics(
  control: ControlPlane,
  websiteId: string,
): Promise<AnalyticsConnection> {
  const given = { kind: 'google-analytics', property: '123456789', propertyName: 'Shop' } as const;
  const credential = '1:org/none:AAAA';
  granted(await control.execute({ type: 'connectSource', websiteId, ...given, credential }, 'admin'));
  return analyticsConnectionOf(control.state(), websiteId)!;
}

export interface StoredDay {
  readonly totals?: Partial<AnalyticsDay>;
  readonly pages?: readonly Partial<AnalyticsPage>[];
  readonly sources?: readonly Partial<SessionSource>[];
}

const session = { sessions: 1, engagedSessions: 1, keyEvents: 0, revenue: 0 };
const view = { pageviews: 2, activeUsers: 1, engagementSecs: 30 };

export async function storeAnalytics(
  clickhouse: ClickHouse,
  connection: AnalyticsConnection,
  { days, at, from }: { days: Readonly<Record<string, StoredDay>>; at: number; from?: string },
): Promise<void> {
  for (const [day, { totals, pages = [], sources = [] }] of Object.entries(days))
    await writeAnalyticsDay(clickhouse, connection, at, {
      totals: { day, ...session, ...view, currency: 'EUR', timeZone: '', ...totals },
      pages: pages.map((one) => ({
        ...{ path: '/', ...session, ...view, aiSessions: 0, searchSessions: 0, ...one },
      })),
      sources: sources.map((one) => ({
        ...{ source: '(direct)', medium: '(none)', aiOperator: '', ...session, ...one },
      })),
    });
  const all = Object.keys(days).sort();
  await insertSourceSync(clickhouse, 'google-analytics', {
    ...{ websiteId: connection.websiteId, sourceId: connection.sourceId, attemptedAt: at, lastSyncAt: at },
    ...{ dataThrough: all.at(-1) ?? null, counts: { days: all.length, days_left: 0 }, problem: null },
    marks: { from: from ?? all[0] ?? null },
  });
}
