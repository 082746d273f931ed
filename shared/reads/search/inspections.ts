import type { z } from 'zod';
import type { ConnectedSource } from '../../connections/connected-source.js';
import type { ClickHouseWriter } from '../../store/client.js';
import { insertAllRows } from '../../store/insert-all-rows.js';
import { instant, orNone, storedFields, text } from '../../store/stored-fields.js';
import type { Part } from '../sql/read-together.js';

const inspection = storedFields({
  path: text,
  url: text,
  /** The service's value: PASS, NEUTRAL, FAIL, PARTIAL. */
  verdict: text,
  /** In words: "Submitted and indexed". */
  coverageState: text,
  robotsState: text,
  indexingState: text,
  fetchState: text,
  engineCanonical: text,
  /** Milliseconds since the epoch, like `inspectedAt`; null: never. */
  lastCrawl: orNone(instant, 0),
  inspectedAt: instant,
});
/** A search engine's inspection of a path. Absent texts are empty. */
export type Inspection = Readonly<z.output<typeof inspection.row>>;

/** The last inspection of one path: one row or none. */
export function lastInspection({ websiteId, sourceId }: ConnectedSource, path: string): Part<Inspection> {
  return {
    sql: `SELECT ${inspection.columns('i.')}
FROM index_inspections AS i
WHERE i.website_id = {website_id: String} AND i.source_id = {source_id: String} AND i.path = {path: String}
ORDER BY i.inspected_at DESC LIMIT 1`,
    params: { website_id: websiteId, source_id: sourceId, path },
    row: inspection.row,
    restsOn: { websiteId, part: 'other_tables' },
  };
}

export async function writeInspections(
  writer: ClickHouseWriter,
  { websiteId, sourceId }: ConnectedSource,
  inspections: readonly Inspection[],
): Promise<void> {
  const of = { website_id: websiteId, source_id: sourceId };
  const rows = inspections.map((one) => ({ ...of, ...inspection.toRow(one) }));
  await insertAllRows(writer, websiteId, { table: 'index_inspections', rows });
}
