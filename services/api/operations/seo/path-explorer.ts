import { z } from '@hono/zod-openapi';
import { answer } from '../../../../shared/reads/answer/answer.js';
import {
  averageTimeMs,
  avgTimeMs,
  count,
  fieldsOf,
  loggedPath,
  percentOf,
  statusClassCounts,
  toStatusClassCounts,
} from '../../../../shared/reads/answer/figures.js';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import { datedWindow, dateWindow } from '../../../../shared/reads/answer/windows.js';
import { proofCounts, toProofCounts } from '../../../../shared/reads/bots/crawl-basis.js';
import { type CrawlerInput, crawlers } from '../../../../shared/reads/bots/crawler-scope.js';
import { bots, crawlerPaths } from '../../../../shared/reads/sql/read-tables.js';
import type { Scope } from '../../../../shared/reads/sql/scope.js';
import { selectList } from '../../../../shared/reads/sql/select.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { DEEPEST_DIRECTORY, readBotsOfPaths, readCrawledPlaces } from './path-explorer-sql.js';

const TOP_BOTS = 10;
const MOST_DIRECTORIES = 500;

const crawledPath = z
  .object({
    path: loggedPath,
    requests: count('Requests of the crawlers, without proven impostors.'),
    ...proofCounts('requests'),
    bots: z.record(z.string(), z.int()).openapi({
      description: 'Requests by crawler; absent crawlers had none.',
      example: { Googlebot: 41, bingbot: 7 },
    }),
    ...statusClassCounts,
    avg_response_time_ms: avgTimeMs,
    last_seen: instant.openapi({ description: 'Last request in the window.' }),
  })
  .openapi('CrawledPath');

const crawledDirectory = z
  .object({
    directory: z.string().openapi({ description: 'With a slash at both ends.', example: '/blog/' }),
    requests: count('Requests of the crawlers for all paths below it, without proven impostors.'),
    ...proofCounts('requests'),
    paths: count('Exact number of distinct paths below it.'),
    ...statusClassCounts,
    failed_pct: z.number().openapi({ description: 'Percent of its requests that were answered 4xx or 5xx.' }),
  })
  .openapi('CrawledDirectory');

const topBot = z.object({
  bot_name: z.string().openapi({ example: 'Googlebot' }),
  requests: count('Requests of the crawler, without proven impostors.'),
  ...proofCounts('requests'),
  share_pct: z.number().openapi({ description: 'Percent of total_requests.' }),
});

export const pathExplorer = answer({
  schema: z.object({
    ...datedWindow,
    total_requests: count('Requests of the crawlers, including requests without a path.'),
    ...proofCounts('total_requests'),
    total_paths: count('Exact number of distinct paths that they fetched.'),
    paths: z.array(crawledPath),
    directories: z.array(crawledDirectory).openapi({
      description: `The ${MOST_DIRECTORIES} directories with most requests, then by name, down to level ${DEEPEST_DIRECTORY} below \`/\`. Each counts all paths below it, also those that \`paths\` omits, so directories contain each other's requests. Requests without a path are in none.`,
    }),
    top_bots: z.array(topBot).openapi({ description: `The ${TOP_BOTS} crawlers with most requests.` }),
  }),
  from: [[crawlerPaths], [bots, crawlerPaths]],
  async read(reader, scope, input: CrawlerInput & { readonly limit: number }) {
    const narrowed = crawlers(scope, input);
    const [dated, topBots, { total, paths, directories }] = await Promise.all([
      dateWindow(reader, scope),
      readTopBots(reader, narrowed),
      readCrawledPlaces(reader, narrowed, { paths: input.limit, directories: MOST_DIRECTORIES }),
    ]);
    const totals = total ?? { requests: 0, verified_requests: 0, paths: 0 };
    const botsOf = new Map<string, [string, number][]>(paths.map(({ name }) => [name, []]));
    const bots = await readBotsOfPaths(reader, narrowed, [...botsOf.keys()]);
    for (const { path, bot_name, requests } of bots) botsOf.get(path)?.push([bot_name, requests]);
    return {
      ...dated.fields,
      total_requests: totals.requests,
      ...toProofCounts(totals),
      total_paths: totals.paths,
      paths: paths.map((row) =>
        fieldsOf(crawledPath, {
          ...row,
          path: row.name,
          ...toProofCounts(row),
          bots: Object.fromEntries(botsOf.get(row.name) ?? []),
          ...toStatusClassCounts(row),
          avg_response_time_ms: averageTimeMs(row),
          last_seen: toInstant(row.last_seen),
        }),
      ),
      directories: directories.map((row) => {
        const classes = toStatusClassCounts(row);
        return {
          directory: row.name,
          requests: row.requests,
          ...toProofCounts(row),
          paths: row.paths,
          ...classes,
          failed_pct: percentOf(classes.status_4xx + classes.status_5xx, row.requests),
        };
      }),
      top_bots: topBots.map((row) => ({
        bot_name: row.bot_name,
        requests: row.requests,
        ...toProofCounts(row),
        share_pct: percentOf(row.requests, totals.requests),
      })),
    };
  },
});

/** Not grouped by path, so that the smaller rollup answers. */
function readTopBots(reader: ClickHouseReader, scope: Scope) {
  return selectList(reader, scope, {
    name: 'path_explorer.bots',
    from: [bots, crawlerPaths],
    by: ['bot_name'],
    limit: TOP_BOTS,
    metrics: ['requests', 'verified_requests'],
  });
}
