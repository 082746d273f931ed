import { DAY_MS } from '../../../shared/durations.js';
import { addFigures, type SearchFigures } from '../../../shared/reads/search/search-measures.js';
import type { RecordedSearch } from '../../admin/server/recorded-search.js';
import { type DemoOptions, demoSite, demoWindow } from './demo-traffic.js';
import { createRandom, type Random } from './random.js';

/** Search results of the shop from a search engine: 60 days, up to three days ago. */

const DAYS = 60;
const LAG_DAYS = 3;
const PAGES = 400;
const INSPECTED = 300;
/** Number of days for the queries of pages. */
const QUERY_DAYS = 28;
const nothing: SearchFigures = { impressions: 0, clicks: 0, position: 0 };

/** @returns one recording per week, so none is large. The last one contains the queries of pages and the inspections. */
export function searchResults(demo: DemoOptions, websiteId: string): RecordedSearch[] {
  const random = createRandom(`${demo.seed} search`);
  const { end } = demoWindow(demo);
  const { home, products, listings, posts, retired } = demoSite(demo);
  // Sorted by impressions, most first.
  const shown = [home, ...listings, ...posts, ...products.map(({ page }) => page)]
    .slice(0, PAGES)
    .map(({ target }) => target);
  const days = Array.from({ length: DAYS }, (_, index) =>
    searchDay(end - (LAG_DAYS + DAYS - 1 - index) * DAY_MS, shown, random),
  );
  const inspected = (path: string, verdict: string, coverageState: string) => {
    const url = `https://${demo.domain}${path}`;
    const inspectedAt = Math.floor(end - random.next() * 3 * DAY_MS);
    return { path, url, verdict, coverageState, engineCanonical: url, inspectedAt };
  };
  const inspections = [
    ...shown
      .slice(0, INSPECTED)
      .map((path, index) =>
        index % 11 === 10
          ? inspected(path, 'NEUTRAL', 'Crawled - currently not indexed')
          : inspected(path, 'PASS', 'Submitted and indexed'),
      ),
    ...retired.slice(0, 30).map(({ target }) => inspected(target, 'FAIL', 'Not found (404)')),
  ];
  const last = { pageQueries: pageQueriesOf(days.slice(-QUERY_DAYS)), inspections };
  const weeks = Array.from({ length: Math.ceil(DAYS / 7) }, (_, week) => days.slice(week * 7, week * 7 + 7));
  return weeks.map((some, week) => ({
    ...{ websiteId, at: Math.floor(end) + week, days: some },
    ...(week === weeks.length - 1 && last),
  }));
}

/** The query with the most impressions of each page, since the source omits the others. */
function pageQueriesOf(days: RecordedSearch['days']) {
  const byPath = new Map<string, SearchFigures>();
  for (const { pages } of days)
    for (const { path, ...figures } of pages)
      byPath.set(path, addFigures(byPath.get(path) ?? nothing, figures));
  return [...byPath].map(([path, { impressions, clicks, position }]) => ({
    ...{ path, query: wordsOf(path), position },
    ...{ impressions: Math.ceil(impressions * 0.75), clicks: Math.floor(clicks * 0.75) },
  }));
}

function searchDay(at: number, shown: readonly string[], random: Random): RecordedSearch['days'][number] {
  const busy = [0, 6].includes(new Date(at).getUTCDay()) ? 1.25 : 1;
  const figuresOf = (rank: number) => {
    const impressions = Math.round((busy * 900 * (0.7 + random.next() * 0.6)) / (rank + 1) ** 0.8);
    const position = 2 + rank / 25 + random.next() * 2;
    return { impressions, clicks: Math.round((impressions * 0.3) / position), position };
  };
  const pages = shown
    .map((path, rank) => ({ path, ...figuresOf(rank) }))
    .filter(({ impressions }) => impressions > 0);
  // The source omits rare queries.
  const queries = pages
    .slice(0, 80)
    .map(({ path, ...figures }) => ({ query: wordsOf(path), ...figures }))
    .filter(({ impressions }) => impressions > 5);
  const totals = pages.reduce<SearchFigures>(
    (sum, { path: _, ...figures }) => addFigures(sum, figures),
    nothing,
  );
  return { totals: { day: new Date(at).toISOString().slice(0, 10), ...totals }, pages, queries };
}

/** The query of `/blog/what-to-pack-alps` is "what to pack alps". */
function wordsOf(path: string): string {
  return path.split('/').at(-1)!.replaceAll('-', ' ') || 'outdoor shop';
}
