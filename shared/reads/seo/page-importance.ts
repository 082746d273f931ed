import { z } from '@hono/zod-openapi';
import { PublicError } from '../../errors.js';
import { standaloneAnswer } from '../answer/answer.js';
import { count, loggedPath, nullsOf } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { crawlBasis } from '../bots/crawl-basis.js';
import { MOST_PAGES, SCORE_BUCKETS } from '../bots/daily-build.js';
import { SEARCH_FETCH_DAYS } from '../bots/search-crawler-fetches.js';
import {
  type ImportanceBuild,
  type ImportanceFamily,
  readImportanceBuild,
  readImportantPages,
} from './page-importance-sql.js';

const importanceScore = z.number().openapi({
  description:
    '0 to 10 with one digit: 10 · ln(1 + crawls) / ln(1 + crawls of the page that the family fetches most). That page has 10.',
  example: 7.4,
});

/** Also part of the report on one URL. */
export const importantPage = {
  crawls: count(
    'Fetches by the family that were answered with the page (2xx or 304), of the requests that crawl_basis names.',
  ),
  score: importanceScore,
};

const bucket = z.object({
  min_score: z.int().openapi({ description: 'Minimum score of the bucket.' }),
  max_score: z
    .int()
    .openapi({ description: 'Upper limit of the scores, excluded; included in the last bucket.' }),
  pages: count('Pages with such a score.'),
});

export interface ImportanceInput {
  /** A family, ignoring case; absent: the family with the most fetches, preferring families with verified requests. */
  readonly bot?: string | undefined;
  /** Maximum pages. */
  readonly limit: number;
}

/** Whether requests of earlier days were imported after the build. */
export const staleBuild = z.boolean().nullable().openapi({
  description:
    'true: requests of earlier days were stored after generated_at and are not counted. The next build, within hours, counts them. null before the first build.',
});

const schema = z.object({
  available: z.boolean().openapi({ description: 'false: see reason; then all figures are null.' }),
  reason: z
    .enum(['not_built_yet'])
    .nullable()
    .openapi({ description: 'Why there are no figures; null if there are.' }),
  bot: z.string().nullable().openapi({
    description: 'The family of crawlers in this answer; null without figures.',
    example: 'Google',
  }),
  crawl_basis: crawlBasis.nullable().openapi({
    description:
      'The requests of the family that count. verified: verified requests; unproved claims are excluded. unproved: none is verified, so the fetches are claims that anyone can make. Proven impostors never count. null without figures.',
  }),
  bots: z.array(z.string()).openapi({ description: 'All families with figures, most fetches first.' }),
  generated_at: instant
    .nullable()
    .openapi({ description: 'Time of the build; null before the first build.' }),
  stale: staleBuild,
  window_days: z.int().openapi({
    description: 'Counted days (UTC); the day of the build is the last of them.',
  }),
  page_count: z
    .int()
    .nullable()
    .openapi({
      description: `Pages with a score: the most fetched pages of the family, at most ${MOST_PAGES}.`,
    }),
  total_crawls: z.int().nullable().openapi({ description: 'Fetches of these pages.' }),
  distribution: z
    .array(bucket)
    .nullable()
    .openapi({ description: 'The pages by their score: all buckets, lowest first.' }),
  pages: z
    .array(
      z.object({
        path: loggedPath,
        ...importantPage,
      }),
    )
    .nullable()
    .openapi({ description: 'Most fetched first.' }),
});

/** Its read throws PublicError invalid_request if the build has no such family. */
export const pageImportance = standaloneAnswer({
  schema,
  async read(reader, { websiteId, now }, { bot, limit }: ImportanceInput) {
    const build = await readImportanceBuild(reader, websiteId, now);
    if (build === null)
      return {
        ...nullsOf(schema),
        ...{ available: false, reason: 'not_built_yet' as const, bots: [], window_days: SEARCH_FETCH_DAYS },
      };
    const family = chooseFamily(build, bot);
    const pages =
      family === null
        ? []
        : await readImportantPages(reader, websiteId, build, { family: family.family, limit });
    return {
      available: true,
      reason: null,
      bot: family?.family ?? null,
      crawl_basis: family?.basis ?? null,
      bots: build.families.map((each) => each.family),
      generated_at: toInstant(build.generated),
      stale: build.stale,
      window_days: SEARCH_FETCH_DAYS,
      page_count: family?.pages ?? 0,
      total_crawls: family?.crawls ?? 0,
      distribution: Array.from({ length: SCORE_BUCKETS }, (_, index) => ({
        min_score: index,
        max_score: index + 1,
        pages: family?.distribution[index] ?? 0,
      })),
      pages,
    };
  },
});

function chooseFamily({ families }: ImportanceBuild, bot: string | undefined): ImportanceFamily | null {
  if (bot === undefined) return families.find(({ basis }) => basis === 'verified') ?? families[0] ?? null;
  const found = families.find(({ family }) => family.toLowerCase() === bot.toLowerCase());
  if (found !== undefined) return found;
  const names = families.map(({ family }) => family).join(', ');
  throw new PublicError(
    'invalid_request',
    `bot: expected a family of search crawlers that was served pages of this website (${names === '' ? 'there is none' : names}), got "${bot.slice(0, 40)}"`,
  );
}
