import { z } from '@hono/zod-openapi';
import type { Segment } from '../../../../shared/control/domain/model.js';
import { answer } from '../../../../shared/reads/answer/answer.js';
import {
  changesOf,
  count,
  humanRequests,
  percentOf,
  requestCount,
  uniquePaths,
} from '../../../../shared/reads/answer/figures.js';
import { answerWindow, comparedWindow, compareWindows } from '../../../../shared/reads/answer/windows.js';
import { readCrawlBases } from '../../../../shared/reads/bots/counted-crawlers.js';
import { basisIn, basisText } from '../../../../shared/reads/bots/crawl-basis.js';
import type { CrawlBasis } from '../../../../shared/reads/bots/crawl-basis-sql.js';
import { previousWindow, type Scope } from '../../../../shared/reads/sql/scope.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { readSegmentBreakdown, type SegmentFigures } from './segments-breakdown-sql.js';

/** The segment of all requests (spec §4.7). */
const EVERYTHING = { id: '_all', name: 'All requests' };

const figures = z.object({
  requests: requestCount,
  human_requests: humanRequests,
  human_visits: count(
    'Human visits to pages, by the rule of human_visits in /ai-landing: requests of one client for one page within a half hour are one visit. Small numbers are exact; large ones are estimates with a standard error of 0.3 %.',
  ),
  page_views: count('Human requests for pages (html, php and the like) that were served.'),
  verified_search_hits: count('Requests of verified search crawlers.'),
  search_hits: count('Requests of search crawlers, without proven impostors.'),
  search_share: z.number().openapi({ description: 'Percent of all search_hits of the window.' }),
  ai_hits: count('Requests of bots of AI operators, without proven impostors.'),
  spoofed_hits: count('Requests of proven impostors of any bot.'),
  undeclared_agent_hits: count('Requests of automated agents that do not declare a bot.'),
  unique_paths: uniquePaths,
  unique_pages: count(
    'Distinct paths of pages that were served to any client (2xx or 304), with the error of unique_paths.',
  ),
  crawled_pages: count(
    'The unique_pages that were served to a search crawler, with the same error. crawl_basis names the requests that count.',
  ),
  crawl_coverage: z.number().openapi({
    description: 'crawled_pages in percent of unique_pages; both are estimates.',
  }),
  errors_4xx: count('Requests answered 4xx.'),
  errors_5xx: count('Requests answered 5xx.'),
});

type Figures = z.input<typeof figures>;

const changes = changesOf([
  'requests_pct',
  'human_requests_pct',
  'human_visits_pct',
  'page_views_pct',
  'verified_search_hits_pct',
  'search_hits_pct',
  'search_share_pp',
  'ai_hits_pct',
  'spoofed_hits_pct',
  'undeclared_agent_hits_pct',
  'unique_paths_pct',
  'unique_pages_pct',
  'crawled_pages_pct',
  'crawl_coverage_pp',
  'errors_4xx_pct',
  'errors_5xx_pct',
]);

const segmentEntry = figures
  .extend({
    segment_id: z.string().openapi({ description: `${EVERYTHING.id}: all requests of the website.` }),
    name: z.string(),
    previous: figures
      .nullable()
      .openapi({ description: 'Figures of the previous window; null without compare.' }),
    delta: changes.schema
      .nullable()
      .openapi({ description: 'Change from the previous window; null without compare.' }),
  })
  .openapi('SegmentBreakdown');

export interface BreakdownInput {
  readonly segments: readonly Pick<Segment, 'id' | 'name' | 'rules' | 'excludeRules'>[];
  readonly compare: boolean;
}

/** Every segment in its order, after all requests. Read from the raw rows of the whole window. */
export const segmentsBreakdown = answer({
  schema: z.object({
    ...comparedWindow,
    compare: z.boolean().openapi({ description: 'Whether `previous` and `delta` were requested.' }),
    previous: z
      .object({ window: answerWindow })
      .nullable()
      .openapi({ description: 'The previous window; null without compare.' }),
    crawl_basis: basisIn('window').openapi({
      description: `Requests of search crawlers that count for crawled_pages and crawl_coverage, in this and the previous window. ${basisText('window')}`,
    }),
    segments: z.array(segmentEntry),
  }),
  from: [],
  async read(reader, scope, { segments, compare }: BreakdownInput) {
    const before = { ...scope, window: previousWindow(scope.window) };
    const start = compare ? before.window.start : scope.window.start;
    const { search } = await readCrawlBases(reader, { ...scope, window: { ...scope.window, start } });
    const [time, current, earlier] = await Promise.all([
      compareWindows(reader, scope),
      readFigures(reader, scope, segments, search),
      compare ? readFigures(reader, before, segments, search) : null,
    ]);
    return {
      ...time.windows,
      compare,
      previous: compare ? { window: time.previous } : null,
      crawl_basis: search,
      segments: [EVERYTHING, ...segments].map(({ id, name }, index) => {
        const now = current[index]!;
        const previous = earlier === null ? null : earlier[index]!;
        return {
          segment_id: id,
          name,
          ...now,
          previous,
          delta:
            previous === null
              ? null
              : changes.between(now, previous, time.change, (name) =>
                  name === 'search_share_pp' ? earlier![0]!.search_hits : previous.unique_pages,
                ),
        };
      }),
    };
  },
});

/** Figures of all requests, then of each segment. */
async function readFigures(
  reader: ClickHouseReader,
  scope: Scope,
  segments: BreakdownInput['segments'],
  basis: CrawlBasis,
): Promise<Figures[]> {
  const breakdown = await readSegmentBreakdown(reader, scope, segments, basis);
  const searchHits = breakdown.all.search_bot_requests;
  return [breakdown.all, ...breakdown.segments].map((row) => toFigures(row, searchHits));
}

function toFigures(row: SegmentFigures, searchHits: number): Figures {
  return {
    requests: row.requests,
    human_requests: row.human_requests,
    human_visits: row.human_visits,
    page_views: row.page_views,
    verified_search_hits: row.verified_search_requests,
    search_hits: row.search_bot_requests,
    search_share: percentOf(row.search_bot_requests, searchHits),
    ai_hits: row.ai_bot_requests,
    spoofed_hits: row.spoofed_bot_requests,
    undeclared_agent_hits: row.undeclared_agent_requests,
    unique_paths: row.unique_paths,
    unique_pages: row.unique_pages,
    crawled_pages: row.crawled_pages,
    // The two estimates can err in opposite directions.
    crawl_coverage: Math.min(100, percentOf(row.crawled_pages, row.unique_pages)),
    errors_4xx: row.status_4xx,
    errors_5xx: row.status_5xx,
  };
}
