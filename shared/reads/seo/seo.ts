import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { botCategory } from '../answer/enumeration.js';
import {
  averageTimeMs,
  avgTimeMs,
  count,
  percentOf,
  statusClassCounts,
  statusClasses,
  sumsOf,
  toStatusClassCounts,
} from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { countByVerification, summariseClaims, verificationSummary } from '../answer/verification-counts.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { type CrawlerInput, claimedCrawlers } from '../bots/crawler-scope.js';
import { bots, crawlerPaths } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select } from '../sql/select.js';

const MAX_CRAWLERS = 50;

const verificationFields = {
  verification_status: verificationSummary,
  verified_requests: count('Of these, requests from verified addresses of the crawler.'),
  unproved_requests: count(
    'Of these, all others: pending and unverifiable claims. Anyone can make such a claim. `bot_verified` narrows every figure to verified requests.',
  ),
  pending_requests: count('Of these, claims with a pending verification; corrected later.'),
  unverifiable_requests: count(
    'Of these, claims of crawlers whose operator publishes no way to verify them, or whose published ranges were too old.',
  ),
  unverified_suspicious: count('Disproved claims. They are unverified, and not part of the requests.'),
};

const crawler = z
  .object({
    bot_name: z.string().openapi({ example: 'Googlebot' }),
    bot_family: z.string(),
    bot_category: botCategory,
    requests: count('Requests of the crawler, except proven impostors.'),
    share_pct: z.number().openapi({ description: 'Percentage of crawler_requests.' }),
    ...verificationFields,
    ...statusClassCounts,
    avg_response_time_ms: avgTimeMs,
    last_seen: instant
      .nullable()
      .openapi({ description: 'Last request inside the window; null if all were from impostors.' }),
  })
  .openapi('SearchCrawler');

export const seo = answer({
  schema: z.object({
    ...datedWindow,
    crawler_requests: count(
      'Requests of crawlers, except proven impostors: verified_requests and unproved_requests.',
    ),
    ...verificationFields,
    ...statusClassCounts,
    avg_response_time_ms: avgTimeMs,
    total_crawlers: count('Distinct names of crawlers, including names that only impostors used.'),
    top_crawlers: z.array(crawler).openapi({
      description: `Most requests first, at most ${MAX_CRAWLERS}; a name that only impostors used comes last.`,
    }),
  }),
  from: [[bots, crawlerPaths]],
  async read(reader, scope, input: CrawlerInput) {
    const [dated, claims] = await Promise.all([
      dateWindow(reader, scope),
      readClaims(reader, claimedCrawlers(scope, input)),
    ]);
    const all = foldClaims(claims);
    const ofBot = new Map<string, Claim[]>();
    for (const claim of claims) ofBot.set(claim.bot_name, [...(ofBot.get(claim.bot_name) ?? []), claim]);
    const crawlers = [...ofBot.values()].map((claimsOfBot) => ({
      claimsOfBot,
      figures: foldClaims(claimsOfBot),
    }));
    // Claims are sorted by name, and the stable sort keeps that order for ties.
    crawlers.sort((one, other) => other.figures.requests - one.figures.requests);
    return {
      ...dated.fields,
      crawler_requests: all.requests,
      ...toFigures(all),
      total_crawlers: crawlers.length,
      top_crawlers: crawlers.slice(0, MAX_CRAWLERS).map(({ claimsOfBot, figures }) => ({
        bot_name: claimsOfBot[0]!.bot_name,
        bot_family: claimsOfBot[0]!.latest_bot_family,
        bot_category: claimsOfBot[0]!.latest_bot_category,
        requests: figures.requests,
        share_pct: percentOf(figures.requests, all.requests),
        ...toFigures(figures),
        last_seen: figures.requests === 0 ? null : toInstant(figures.last_seen),
      })),
    };
  },
});

async function readClaims(reader: ClickHouseReader, scope: Scope) {
  const { claims } = await select(reader, scope, {
    name: 'seo.claims',
    from: [bots, crawlerPaths],
    lists: { claims: { by: ['bot_name', 'verification'] } },
    foldedHere: true,
    metrics: ['requests', ...statusClasses, 'timed_requests', 'time_taken_ms', 'last_seen'],
    latest: ['bot_family', 'bot_category'],
  });
  return claims.toSorted((one, other) =>
    one.bot_name < other.bot_name ? -1 : Number(one.bot_name > other.bot_name),
  );
}

type Claim = Awaited<ReturnType<typeof readClaims>>[number];

const summed = ['requests', ...statusClasses, 'timed_requests', 'time_taken_ms'] as const;

/** Impostors add to the count of claims and to no other figure. */
function foldClaims(claims: readonly Claim[]) {
  const genuine = claims.filter(({ verification }) => verification !== 'spoofed');
  return {
    ...sumsOf(summed, genuine),
    ...countByVerification(claims),
    last_seen: Math.max(0, ...genuine.map((claim) => claim.last_seen)),
  };
}

function toFigures(folded: ReturnType<typeof foldClaims>) {
  return {
    verification_status: summariseClaims(folded),
    verified_requests: folded.verified_requests,
    unproved_requests: folded.pending_requests + folded.unverifiable_requests,
    pending_requests: folded.pending_requests,
    unverifiable_requests: folded.unverifiable_requests,
    unverified_suspicious: folded.spoofed_requests,
    ...toStatusClassCounts(folded),
    avg_response_time_ms: averageTimeMs(folded),
  };
}
