import { z } from '@hono/zod-openapi';
import { inPieces } from '../../pacing/in-pieces.js';
import { dateTime64, insertRows } from '../../store/insert-rows.js';
import { readCrawlBases } from '../bots/counted-crawlers.js';
import {
  notFoundDetail,
  type RecommendationDetail,
  slowDetail,
  unverifiedDetail,
} from '../recommendations/recommendation-details.js';
import { statusCodes } from '../traffic/status-codes.js';
import { traffic } from '../traffic/traffic.js';
import {
  type Column,
  type ComposeDeps,
  type ExportRows,
  type ExportType,
  text,
  value,
  windowFilters,
} from './export-type.js';
import { namedBot } from './named-bot.js';

/**
 * Exports of answers with a bounded number of rows: hours of a year, statuses, 500 recommendations. The answer is computed here. Its rows
 * go to the table export_rows, and the engine writes the file.
 */

type Json = Readonly<Record<string, unknown>>;

/** Properties of a schema that determine a column. */
interface Described {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly Described[];
}

/** Columns in the order of the schema; the elements of a list are joined by ` | `. */
function columnsOf(schema: z.ZodObject): Column[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Readonly<Record<string, Described>>;
  };
  return Object.entries(properties).map(([name, described]) => {
    const { type: types, format } = described.anyOf?.find((each) => each.type !== 'null') ?? described;
    const type = [types].flat().find((each) => each !== 'null');
    const raw = `JSONExtractString(t.row, '${name}')`;
    const as = (stored: string) => `JSONExtract(t.row, '${name}', '${stored}')`;
    if (format === 'date-time') return value(name, `parseDateTime64BestEffortOrNull(${raw}, 3, 'UTC')`);
    if (type === 'integer') return value(name, as('Nullable(Int64)'));
    if (type === 'number') return value(name, as('Nullable(Float64)'));
    if (type === 'boolean') return value(name, as('Nullable(Bool)'));
    if (type === 'array') return text(name, `arrayStringConcat(${as('Array(String)')}, ' | ')`);
    return text(name, raw);
  });
}

const PIECE = 1_000;

/** Inserts the rows for the engine to read. */
export async function stageRows(
  { clickhouse, now, newId }: ComposeDeps,
  websiteId: string,
  rows: readonly Json[],
): Promise<ExportRows> {
  const batch = newId();
  const written_at = dateTime64(now).slice(0, 19);
  for (const [at, piece] of [
    ...inPieces(
      rows.map((row) => JSON.stringify(row)),
      PIECE,
    ),
  ].entries())
    await insertRows(clickhouse as never, {
      table: 'export_rows',
      rows: piece.map((row, index) => ({
        website_id: websiteId,
        batch_id: batch,
        place: at * PIECE + index,
        row,
        written_at,
      })),
      deduplicationToken: `export_rows/${batch}/${at}`,
      websiteId,
    });
  return {
    from: `(SELECT place, row FROM export_rows WHERE website_id = {staged_website_id: String} AND batch_id = {staged_batch: String}) AS t`,
    order: 't.place',
    params: { staged_website_id: websiteId, staged_batch: batch },
    rows: rows.length,
  };
}

function elementOf(list: z.ZodType): z.ZodObject {
  return (list as z.ZodArray<z.ZodObject>).element;
}

export const trafficExport: ExportType = {
  name: 'traffic',
  title: 'Traffic by hour',
  read: '/traffic',
  knows: windowFilters,
  columns: columnsOf(elementOf(traffic.schema.shape.hourly)),
  async compose(deps, scope, question) {
    const { hourly } = await traffic.read(deps.clickhouse, namedBot(scope, question), {});
    return stageRows(deps, scope.websiteId, hourly);
  },
};

export const statusCodesExport: ExportType = {
  name: 'status-codes',
  title: 'Status codes',
  read: '/status-codes',
  knows: windowFilters,
  columns: columnsOf(elementOf(statusCodes.schema.shape.status_codes)),
  async compose(deps, scope, question) {
    const { status_codes } = await statusCodes.read(deps.clickhouse, namedBot(scope, question), {});
    return stageRows(deps, scope.websiteId, status_codes);
  },
};

function recommendationExport<Item extends z.ZodObject>(
  name: string,
  title: string,
  { item, read }: RecommendationDetail<Item>,
): ExportType {
  return {
    name: `recommendations-${name}`,
    title,
    read: `/recommendations/${name}`,
    knows: [],
    columns: columnsOf(item),
    async compose(deps, scope) {
      const whole = { ...scope, filters: {} };
      const bases = await readCrawlBases(deps.clickhouse, whole);
      const rows = await read(deps.clickhouse, whole, deps.recommendations, bases);
      return stageRows(deps, scope.websiteId, rows as readonly Json[]);
    },
  };
}

export const notFoundExport = recommendationExport('paths-404', 'Pages not found', notFoundDetail);
export const slowExport = recommendationExport('slow-paths', 'Slow pages', slowDetail);
export const unverifiedExport = recommendationExport(
  'unverified-bots',
  'Impostors of crawlers',
  unverifiedDetail,
);
