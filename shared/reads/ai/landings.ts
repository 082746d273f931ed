import type { ClickHouseReader } from '../../store/client.js';
import { oneOf } from '../sql/filters.js';
import { aiVisits } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList } from '../sql/select.js';
import { readByTexts } from '../sql/text-batches.js';
import { readLandings, readTopLandings, visitsOnly } from './ai-visits.js';
import { type AllLandings, foldLandings, type LandingsQuestion, readLandingRows } from './landing-rows.js';

/**
 * The visits and landings on an error of the answer `aiLanding`, by operator, page and time. This process folds them if they are few, and
 * otherwise the engine.
 */

/** @throws as ClickHouseReader.read */
export async function readAllLandings(
  reader: ClickHouseReader,
  scope: Scope,
  question: LandingsQuestion,
): Promise<AllLandings> {
  const rows = await readLandingRows(reader, scope, question);
  return rows === null ? selectLandings(reader, scope, question) : foldLandings(rows, question.limit);
}

async function selectLandings(
  reader: ClickHouseReader,
  scope: Scope,
  { granularity, limit, where }: LandingsQuestion,
): Promise<AllLandings> {
  const [{ visits, errors }, top, series, all] = await Promise.all([
    readLandings(reader, scope, 'ai_landing.visits', where),
    readTopLandings(reader, scope, 1, where),
    selectList(reader, scope, {
      name: 'ai_landing.series',
      from: [aiVisits],
      by: ['ai_operator'],
      overTime: true,
      time: granularity,
      metrics: ['visits'],
      where: [visitsOnly, ...where],
    }),
    selectList(reader, scope, {
      name: 'ai_landing.pages',
      from: [aiVisits],
      by: ['is_error', 'path'],
      limit,
      limitPer: 'is_error',
      metrics: ['visits', 'first_seen', 'last_seen'],
      latest: ['status'],
      where,
    }),
  ]);
  const pages = all.filter((row) => row.is_error === 0);
  const operators = await readByTexts(
    pages.map(({ path }) => path),
    (batch) =>
      selectList(reader, scope, {
        name: 'ai_landing.page_operators',
        from: [aiVisits],
        by: ['path', 'ai_operator'],
        metrics: ['visits'],
        where: [visitsOnly, ...where, oneOf('path', batch)],
      }),
  );
  const operatorsOf = new Map<string, [string, number][]>(pages.map(({ path }) => [path, []]));
  for (const row of operators) operatorsOf.get(row.path)?.push([row.ai_operator, row.visits]);
  return {
    visits,
    errors,
    topPaths: new Map(top.map((row) => [row.ai_operator, row.path])),
    series,
    pages,
    errorPages: all.filter((row) => row.is_error === 1),
    operatorsOf,
  };
}
