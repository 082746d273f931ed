import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import {
  averageTimeMs,
  avgTimeMs,
  bytesSent,
  type Comparison,
  count,
  deltaPct,
  fieldsOf,
  loggedPath,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
  statusClassCounts,
  statusClasses,
  toStatusClassCounts,
  trafficClassCounts,
  uniquePaths,
} from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { comparedWindow, compareWindows } from '../answer/windows.js';
import { addLate, type LateSpoofed, moveLate, noneLate, pendingOnly } from '../bots/impostors.js';
import { oneOf } from '../sql/filters.js';
import { mayHaveLateImpostors, withLateVerdicts } from '../sql/late-verdicts.js';
import { countryEstimates, crawlerPaths, estimates, paths as pathsRollup } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList, selectTotal } from '../sql/select.js';
import { readByTexts } from '../sql/text-batches.js';

const pathEntry = z
  .object({
    path: loggedPath,
    requests: requestCount,
    share_pct: sharePct,
    ...trafficClassCounts,
    ...statusClassCounts,
    bytes_sent: bytesSent,
    avg_time_ms: avgTimeMs,
    max_time_ms: z
      .number()
      .nullable()
      .openapi({ description: 'Slowest request; null without timed requests.' }),
    last_seen: instant.openapi({ description: 'Last request inside the window.' }),
    previous_requests: previousRequests,
    delta_pct: deltaPct,
  })
  .openapi('Path');

export const paths = answer({
  schema: z.object({
    ...comparedWindow,
    total_requests: count('All requests, including those without a path (log lines that are not HTTP).'),
    unique_paths: uniquePaths,
    paths: z.array(pathEntry),
  }),
  from: [[pathsRollup], [estimates, countryEstimates], [crawlerPaths]],
  async read(reader, scope, { limit }: { limit: number }) {
    const [time, totals, rows] = await Promise.all([
      compareWindows(reader, scope),
      readTotals(reader, scope),
      readPaths(reader, scope, limit),
    ]);
    const late = await readLate(
      reader,
      scope,
      rows.map(({ path }) => path),
    );
    return {
      ...time.windows,
      total_requests: totals.requests,
      unique_paths: totals.paths,
      paths: rows.map((row) =>
        toPathEntry(row, late.get(row.path) ?? noneLate, totals.requests, time.change),
      ),
    };
  },
});

function readTotals(reader: ClickHouseReader, scope: Scope) {
  return selectTotal(reader, scope, {
    name: 'paths.totals',
    from: [estimates, countryEstimates],
    metrics: ['requests', 'paths'],
  });
}

/** Metrics of a path, for this answer and its export. */
export const pathMetrics = [
  'requests',
  'human_requests',
  'search_bot_requests',
  'ai_bot_requests',
  'spoofed_bot_requests',
  'undeclared_agent_requests',
  ...statusClasses,
  'bytes_sent',
  'timed_requests',
  'time_taken_ms',
  'time_taken_ms_max',
  'last_seen',
] as const;

/** Most requests first, then by path. */
function readPaths(reader: ClickHouseReader, scope: Scope, limit: number) {
  return selectList(reader, scope, {
    name: 'paths.list',
    from: [pathsRollup],
    by: ['path'],
    limit,
    metrics: pathMetrics,
    previous: ['requests'],
  });
}

async function readLate(reader: ClickHouseReader, scope: Scope, names: readonly string[]) {
  const late = new Map<string, LateSpoofed>();
  const known = await withLateVerdicts(reader, scope);
  if (!mayHaveLateImpostors(known)) return late;
  const found = await readByTexts(names, (paths) =>
    selectList(reader, known, {
      name: 'paths.late_impostors',
      from: [crawlerPaths],
      by: ['path', 'bot_category'],
      foldedHere: true,
      metrics: ['late_spoofed_requests'],
      where: [oneOf('path', paths), pendingOnly],
    }),
  );
  for (const { path, bot_category, late_spoofed_requests: requests } of found) {
    late.set(path, addLate(late.get(path) ?? noneLate, { bot_category, requests }));
  }
  return late;
}

type PathRow = Awaited<ReturnType<typeof readPaths>>[number];

function toPathEntry(
  row: PathRow,
  late: LateSpoofed,
  totalRequests: number,
  change: Comparison,
): z.input<typeof pathEntry> {
  const classified =
    row.human_requests +
    row.search_bot_requests +
    row.ai_bot_requests +
    row.spoofed_bot_requests +
    row.undeclared_agent_requests;
  const { search_bot_requests, ai_bot_requests, spoofed_bot_requests } = row;
  const other_bot_requests = row.requests - classified;
  const claimed = { search_bot_requests, ai_bot_requests, other_bot_requests, spoofed_bot_requests };
  const moved = moveLate(claimed, late);
  return fieldsOf(
    pathEntry,
    {
      share_pct: percentOf(row.requests, totalRequests),
      search_bot_requests: moved.search_bot_requests,
      ai_bot_requests: moved.ai_bot_requests,
      other_bot_requests: moved.other_bot_requests,
      spoofed_bot_requests: moved.spoofed_bot_requests,
      status_other: toStatusClassCounts(row).status_other,
      avg_time_ms: averageTimeMs(row),
      max_time_ms: row.timed_requests === 0 ? null : row.time_taken_ms_max,
      last_seen: toInstant(row.last_seen),
      delta_pct: change.pct(row.requests, row.previous_requests),
    },
    row,
  );
}
