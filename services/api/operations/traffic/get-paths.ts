import { z } from '@hono/zod-openapi';
import { readPathTotals } from '../../../../shared/queries/estimates.js';
import { countPaths, listPaths, type PathRow } from '../../../../shared/queries/paths.js';
import { previousWindow } from '../../../../shared/queries/scope.js';
import { integerParameter, windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { instant, toInstant } from '../instant.js';
import { segmentRead } from '../segment-read.js';
import {
  averageTimeMs,
  avgTimeMs,
  bytesSent,
  changePct,
  deltaPct,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
  statusClassCounts,
  toStatusClassCounts,
  uniquePaths,
} from './figures.js';

const pathEntry = z
  .object({
    path: z.string().openapi({ description: 'As sent, percent-encoded, without the query string.' }),
    requests: requestCount,
    share_pct: sharePct,
    human_requests: requestCount,
    search_bot_requests: requestCount,
    ai_bot_requests: requestCount,
    other_bot_requests: requestCount,
    ...statusClassCounts,
    bytes_sent: bytesSent,
    avg_time_ms: avgTimeMs,
    max_time_ms: z
      .number()
      .nullable()
      .openapi({ description: 'Slowest request; null where none was timed.' }),
    last_seen: instant.openapi({ description: 'Last request inside the window.' }),
    previous_requests: previousRequests,
    delta_pct: deltaPct,
  })
  .openapi('Path');

export const getPaths = segmentRead({
  id: 'getPaths',
  tag: 'Traffic',
  path: '/paths',
  summary: 'Requests by path',
  description:
    'Paths by request count, most requested first. `countries` and `segment` need the single requests of the whole window: over a long one the answer may say `data_buffering` true; repeat the same call and it returns the finished result.',
  query: z.object({
    ...windowParameters(),
    limit: integerParameter({ min: 1, max: 1000, default: 100, description: 'Paths in the answer.' }),
  }),
  answer: z.object({
    window: answerWindow,
    total_requests: requestCount,
    total_paths: uniquePaths,
    paths: z.array(pathEntry),
  }),
  readsRawRows: ({ countries }) => countries.length > 0,
  async read(reader, scope, { limit }) {
    const [totals, rows] = await Promise.all([
      readPathTotals(reader, scope),
      listPaths(reader, scope, { limit }),
    ]);
    const before = { ...scope, window: previousWindow(scope.window) };
    const paths = rows.map(({ path }) => path);
    const earlier = rows.length === 0 ? [] : await countPaths(reader, before, { paths });
    const previous = new Map(earlier.map(({ path, requests }) => [path, requests]));
    return {
      window: toAnswerWindow(scope.window),
      total_requests: totals.requests,
      total_paths: totals.unique_paths,
      paths: rows.map((row) => toPathEntry(row, totals.requests, previous.get(row.path) ?? 0)),
    };
  },
});

function toPathEntry(row: PathRow, totalRequests: number, previous: number): z.input<typeof pathEntry> {
  const { requests, human_requests, search_bot_requests, ai_bot_requests } = row;
  return {
    path: row.path,
    requests,
    share_pct: percentOf(requests, totalRequests),
    human_requests,
    search_bot_requests,
    ai_bot_requests,
    other_bot_requests: requests - human_requests - search_bot_requests - ai_bot_requests,
    ...toStatusClassCounts(row),
    bytes_sent: row.bytes_sent,
    avg_time_ms: averageTimeMs(row),
    max_time_ms: row.timed_requests === 0 ? null : row.time_taken_ms_max,
    last_seen: toInstant(row.last_seen),
    previous_requests: previous,
    delta_pct: changePct(requests, previous),
  };
}
