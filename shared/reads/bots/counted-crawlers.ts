import type { ClickHouseReader } from '../../store/client.js';
import { count } from '../answer/figures.js';
import { oneOf } from '../sql/filters.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { bots, crawlerPaths } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList, selectTotal } from '../sql/select.js';
import { basisIn, basisText } from './crawl-basis.js';
import { type CrawlBases, type CrawlBasis, chooseBasis, verificationsOf } from './crawl-basis-sql.js';
import { type CrawlerInput, crawlers } from './crawler-scope.js';

/** Selects the crawler requests that an answer about a window counts, by the rule of shared/reads/bots/crawl-basis-sql.ts. */

export interface CountedCrawlers {
  readonly basis: CrawlBasis;
  /** Verified requests of the question. */
  readonly verified: number;
  /** Unproved claims of the question, counted or not. */
  readonly unproved: number;
  /** The question, narrowed to the counted requests. */
  readonly scope: Scope;
}

/** Fields that describe the counted requests. */
export const countedFields = {
  crawl_basis: basisIn('window'),
  verified_requests: count('Requests from verified addresses of the crawlers.'),
  unproved_requests: count(
    'Unproved requests that claim to be of the crawlers. The other figures include them only if crawl_basis is unproved.',
  ),
};

/** The rule, for the descriptions of answers. */
export const COUNTED_TEXT = `\`crawl_basis\` says which requests are counted. ${basisText('window')}`;

/** Fields of `countedFields`. */
export function toCountedFields({ basis, verified, unproved }: CountedCrawlers) {
  return { crawl_basis: basis, verified_requests: verified, unproved_requests: unproved };
}

/** Fields of an answer that counts search crawlers, AI crawlers and other requests. */
export const basesFields = {
  crawl_basis: basisIn('window').openapi({
    description: `Which requests count as those of search crawlers. ${basisText('window')}`,
  }),
  ai_basis: basisIn('window').openapi({
    description: 'Which requests count as those of AI crawlers; the rule is the same as for crawl_basis.',
  }),
};

/** Bases of a window, without its filters. @throws as ClickHouseReader.read */
export async function readCrawlBases(
  reader: ClickHouseReader,
  { websiteId, window }: Scope,
): Promise<CrawlBases> {
  const list = await selectList(
    reader,
    { websiteId, window, filters: {} },
    {
      name: 'counted_crawlers.bases',
      from: [bots],
      by: ['bot_category'],
      limit: 2,
      metrics: ['verified_requests'],
      where: [oneOf('bot_category', ['search', 'ai'])],
    },
  );
  const basisOf = (category: string) =>
    chooseBasis(list.find((row) => row.bot_category === category)?.verified_requests ?? 0);
  return { search: basisOf('search'), ai: basisOf('ai') };
}

/** @throws as ClickHouseReader.read */
export async function readCountedCrawlers(
  reader: ClickHouseReader,
  given: Scope,
  input: CrawlerInput,
): Promise<CountedCrawlers> {
  const scope = await withLateVerdicts(reader, given);
  const { requests, verified } = await readProofs(reader, crawlers(scope, input));
  const basis =
    verified > 0 || scope.filters.botVerified === true || scope.filters.withoutUnproved === true
      ? 'verified'
      : await readBasis(reader, scope, input);
  return {
    basis,
    verified,
    unproved: requests - verified,
    scope: crawlers(scope, input, { verifications: verificationsOf[basis] }),
  };
}

/** Only the crawlers and the window decide the basis. A country or a file type without verified requests must not make claims count. */
async function readBasis(
  reader: ClickHouseReader,
  { filters: { bot: anyName, botName, botFamily }, ...scope }: Scope,
  { bot }: CrawlerInput,
): Promise<CrawlBasis> {
  const whole = crawlers(
    { ...scope, filters: { bot: anyName, botName, botFamily } },
    { bot, params_filter: 'all' },
  );
  return chooseBasis((await readProofs(reader, whole)).verified);
}

async function readProofs(reader: ClickHouseReader, scope: Scope) {
  const { requests, verified_requests: verified } = await selectTotal(reader, scope, {
    name: 'counted_crawlers.proofs',
    from: [bots, crawlerPaths],
    metrics: ['requests', 'verified_requests'],
  });
  return { requests, verified };
}
