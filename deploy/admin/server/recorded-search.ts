import { z } from 'zod';
import { insertSourceSync } from '../../../shared/connections/source-syncs.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { PublicError } from '../../../shared/errors.js';
import { writeInspections } from '../../../shared/reads/search/inspections.js';
import { searchConnectionOf } from '../../../shared/reads/search/search-connection.js';
import { writePageQueries, writeSearchDay } from '../../../shared/reads/search/search-writes.js';
import type { ClickHouse } from '../../../shared/store/client.js';

/** Recorded answers of a search-performance source, stored by the operator as a sync would store them. */

const figures = { impressions: z.int().min(0), clicks: z.int().min(0), position: z.number().min(0) };
const day = z.strictObject({
  totals: z.strictObject({ day: z.iso.date(), ...figures }),
  pages: z.array(z.strictObject({ path: z.string(), ...figures })),
  queries: z.array(z.strictObject({ query: z.string(), ...figures })),
});
const text = z.string().default('');
const inspection = z.strictObject({
  ...{ path: z.string(), url: z.string(), verdict: z.string(), coverageState: text, robotsState: text },
  ...{ indexingState: text, fetchState: text, engineCanonical: text },
  lastCrawl: z.int().nullable().default(null),
  inspectedAt: z.int(),
});

export const recordedSearch = z.strictObject({
  websiteId: z.string(),
  /** Time of the recording, milliseconds since the epoch; the later recording of a day counts. */
  at: z.int(),
  days: z.array(day).min(1),
  pageQueries: z.array(z.strictObject({ path: z.string(), query: z.string(), ...figures })).default([]),
  inspections: z.array(inspection).default([]),
});
export type RecordedSearch = z.input<typeof recordedSearch>;

/** Stores the recording. The website must be connected to a search-performance source. @throws PublicError */
export async function storeRecordedSearch(
  clickhouse: ClickHouse,
  control: ControlPlane,
  { websiteId, at, days, pageQueries, inspections }: z.output<typeof recordedSearch>,
) {
  const connection = searchConnectionOf(control.state(), websiteId);
  if (connection === null)
    throw new PublicError('invalid_request', 'connect the website to a search-performance source first');
  for (const one of days) await writeSearchDay(clickhouse, connection, at, one);
  const through = days
    .map(({ totals }) => totals.day)
    .sort()
    .at(-1)!;
  await writePageQueries(clickhouse, connection, { version: at, through }, pageQueries);
  await writeInspections(clickhouse, connection, inspections);
  const { sourceId, kind } = connection;
  await insertSourceSync(clickhouse, kind, {
    ...{ websiteId, sourceId, attemptedAt: at, lastSyncAt: at, dataThrough: through, problem: null },
    counts: { days: days.length, days_left: 0, inspected: inspections.length },
    marks: { pageQueries: { version: at, through } },
  });
  return { websiteId, days: days.length, inspections: inspections.length };
}
