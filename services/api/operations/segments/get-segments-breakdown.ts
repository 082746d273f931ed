import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../../../shared/clickhouse/client.js';
import type { Segment } from '../../../../shared/control/model.js';
import { previousWindow, type Scope } from '../../../../shared/queries/scope.js';
import { readSegmentBreakdown, type SegmentFigures } from '../../../../shared/queries/segment-breakdown.js';
import { websiteRead } from '../../operation.js';
import { booleanParameter, resolveScope, windowParameters } from '../../parameters.js';
import { answerOrBuffer, dataBuffering, emptyAnswer } from '../../slow-reads/buffered-answer.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import {
  changePct,
  count,
  deltaPct,
  percentOf,
  requestCount,
  twoDigits,
  uniquePaths,
} from '../traffic/figures.js';

const DEFAULT_HOURS = 720;
/** The segment that every request is in (spec §4.7). */
const EVERYTHING = { id: '_all', name: 'All requests' };

const figures = z.object({
  requests: requestCount,
  human_visits: count('Requests of humans.'),
  verified_search_hits: count('Requests of search crawlers proved to be who they say.'),
  search_hits: count('Requests of search crawlers, whether verified or not.'),
  search_share: z.number().openapi({ description: 'Percent of all search_hits of the window.' }),
  ai_hits: count('Requests of bots of AI operators.'),
  unique_paths: uniquePaths,
  crawled_paths: count('Those that a search crawler fetched, with the error of unique_paths.'),
  crawl_coverage: z
    .number()
    .openapi({ description: 'Percent of unique_paths that a search crawler fetched, from both estimates.' }),
  errors_4xx: requestCount,
  errors_5xx: requestCount,
});

type Figures = z.input<typeof figures>;

const points = z.number().openapi({ description: 'Change in percentage points.' });

const delta = z.object({
  requests_pct: deltaPct,
  human_visits_pct: deltaPct,
  verified_search_hits_pct: deltaPct,
  search_hits_pct: deltaPct,
  search_share_pp: points,
  ai_hits_pct: deltaPct,
  unique_paths_pct: deltaPct,
  crawled_paths_pct: deltaPct,
  crawl_coverage_pp: points,
  errors_4xx_pct: deltaPct,
  errors_5xx_pct: deltaPct,
});

const segmentEntry = figures
  .extend({
    segment_id: z.string().openapi({ description: `${EVERYTHING.id}: all requests of the website.` }),
    name: z.string(),
    delta: delta
      .nullable()
      .openapi({ description: 'Against the window of the same length just before; null without compare.' }),
  })
  .openapi('SegmentBreakdown');

const answer = z.object({
  window: answerWindow,
  compare: z.boolean().openapi({ description: 'Whether `delta` was asked for.' }),
  segments: z.array(segmentEntry),
});

export const getSegmentsBreakdown = websiteRead({
  id: 'getSegmentsBreakdown',
  tag: 'Segments',
  path: '/segments-breakdown',
  summary: 'Segments side by side',
  description: `The same figures for every segment, beside those of all requests (\`${EVERYTHING.id}\`, always first). A request is counted in each segment that it is in, so segments need not add up. It is read from the single requests of the whole window: over a long one the answer may say \`data_buffering\` true; repeat the same call and it returns the finished result.`,
  query: z.object({
    ...windowParameters({ defaultHours: DEFAULT_HOURS }),
    compare: booleanParameter('1 adds the change against the window of the same length just before.'),
    segments: z.string().max(5000).optional().openapi({
      description: 'Comma-separated ids of the segments to show; unknown ones are ignored. Default: all.',
      example: 'seg_4kq9x2,seg_7m1c0p',
    }),
  }),
  answer: answer.extend({ data_buffering: dataBuffering }),
  async run(input, context) {
    const { website, services } = context;
    const scope = resolveScope(input, context);
    const compare = input.compare ?? false;
    const segments = chooseSegments(
      services.control.state().segments.by('websiteId', website.id),
      input.segments,
    );
    const { hours, start, end, countries } = input;
    const groups = segments.map(({ id, name, rules, excludeRules }) => [id, name, rules, excludeRules]);
    return answerOrBuffer(services, {
      mayTakeLong: true,
      owner: context.website.organisationId,
      question: ['getSegmentsBreakdown', website.id, hours, start, end, countries, compare, groups],
      read: async (reader) => ({
        window: toAnswerWindow(scope.window),
        compare,
        segments: await readEntries(reader, scope, segments, compare),
      }),
      empty: () => emptyAnswer(answer, { window: toAnswerWindow(scope.window), compare }),
    });
  },
});

/** In the order that their owner gave them, then by age. */
function chooseSegments(all: readonly Segment[], ids: string | undefined): Segment[] {
  const chosen = (ids ?? '').split(',').flatMap((id) => id.trim() || []);
  const place = ({ order }: Segment) => order ?? Number.MAX_VALUE;
  return all
    .filter(({ id }) => chosen.length === 0 || chosen.includes(id))
    .toSorted((a, b) => place(a) - place(b));
}

async function readEntries(
  reader: ClickHouseReader,
  scope: Scope,
  segments: readonly Segment[],
  compare: boolean,
): Promise<z.input<typeof segmentEntry>[]> {
  const before = { ...scope, window: previousWindow(scope.window) };
  const [current, previous] = await Promise.all([
    readFigures(reader, scope, segments),
    compare ? readFigures(reader, before, segments) : null,
  ]);
  return [EVERYTHING, ...segments].map(({ id, name }, index) => ({
    segment_id: id,
    name,
    ...current[index]!,
    delta: previous === null ? null : toDelta(current[index]!, previous[index]!),
  }));
}

/** Of everything, then of each segment. */
async function readFigures(
  reader: ClickHouseReader,
  scope: Scope,
  segments: readonly Segment[],
): Promise<Figures[]> {
  const breakdown = await readSegmentBreakdown(reader, scope, segments);
  const searchHits = breakdown.all.search_bot_requests;
  return [breakdown.all, ...breakdown.segments].map((row) => toFigures(row, searchHits));
}

function toFigures(row: SegmentFigures, searchHits: number): Figures {
  return {
    requests: row.requests,
    human_visits: row.human_requests,
    verified_search_hits: row.verified_search_requests,
    search_hits: row.search_bot_requests,
    search_share: percentOf(row.search_bot_requests, searchHits),
    ai_hits: row.ai_bot_requests,
    unique_paths: row.unique_paths,
    crawled_paths: row.crawled_paths,
    // Two estimates may be off to different sides.
    crawl_coverage: Math.min(100, percentOf(row.crawled_paths, row.unique_paths)),
    errors_4xx: row.status_4xx,
    errors_5xx: row.status_5xx,
  };
}

function toDelta(current: Figures, previous: Figures): z.input<typeof delta> {
  const change = (name: keyof Figures) => changePct(current[name], previous[name]);
  const difference = (name: keyof Figures) => twoDigits(current[name] - previous[name]);
  return {
    requests_pct: change('requests'),
    human_visits_pct: change('human_visits'),
    verified_search_hits_pct: change('verified_search_hits'),
    search_hits_pct: change('search_hits'),
    search_share_pp: difference('search_share'),
    ai_hits_pct: change('ai_hits'),
    unique_paths_pct: change('unique_paths'),
    crawled_paths_pct: change('crawled_paths'),
    crawl_coverage_pp: difference('crawl_coverage'),
    errors_4xx_pct: change('errors_4xx'),
    errors_5xx_pct: change('errors_5xx'),
  };
}
