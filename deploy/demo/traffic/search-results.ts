import type { RecordedSearch } from '../../../shared/control/admin/recorded-search.js';
import { DAY_MS } from '../../../shared/durations.js';
import { addFigures, type SearchFigures } from '../../../shared/search-performance/figures.js';
import { type DemoOptions, demoSite, demoWindow } from './demo-traffic.js';
import { createRandom, type Random } from './random.js';
import type { Resource } from './resource.js';

/** What a search engine would tell of the shop: 60 days, of which the last three are not told yet. */

const DAYS = 60;
const LAG_DAYS = 3;
const PAGES = 400;
const INSPECTED = 300;
/** Queries of pages are those of so many days. */
const QUERY_DAYS = 28;
const nothing: SearchFigures = { impressions: 0, clicks: 0, position: 0 };

/** @returns one recording for each week, so that none is large; the last one holds the queries of pages and the inspections. */
export function searchResults(demo: DemoOptions, websiteId: string): RecordedSearch[] {
  const random = createRandom(`${demo.seed} search`);
  const { end } = demoWindow(demo);
  const shown = shownPages(demo);
  const days = Array.from({ length: DAYS }, (_, index) =>
    searchDay(end - (LAG_DAYS + DAYS - 1 - index) * DAY_MS, shown, random),
  );
  const inspections = inspectionsOf(demo, shown, random);
  const pageQueries = pageQueriesOf(days.slice(-QUERY_DAYS), random);
  const weeks = Array.from({ length: Math.ceil(DAYS / 7) }, (_, week) => days.slice(week * 7, week * 7 + 7));
  return weeks.map((some, week) => ({
    ...{ websiteId, at: Math.floor(end) + week, days: some },
    ...(week === weeks.length - 1 && { pageQueries, inspections }),
  }));
}

/** Of each page the query that most of its impressions are of: the source keeps the others back. */
function pageQueriesOf(days: RecordedSearch['days'], random: Random) {
  const byPath = new Map<string, SearchFigures>();
  for (const { pages } of days)
    for (const { path, ...figures } of pages)
      byPath.set(path, addFigures(byPath.get(path) ?? nothing, figures));
  return [...byPath].map(([path, { impressions, clicks, position }]) => {
    const part = 0.6 + random.next() * 0.3;
    return {
      ...{ path, query: wordsOf(path), position },
      ...{ impressions: Math.ceil(impressions * part), clicks: Math.floor(clicks * part) },
    };
  });
}

/** Those that people find by a search engine, the most shown first. */
function shownPages(demo: DemoOptions): Resource[] {
  const { home, products, listings, posts } = demoSite(demo);
  return [home, ...listings, ...posts, ...products.map(({ page }) => page)]
    .filter(({ target }) => !target.includes('?'))
    .slice(0, PAGES);
}

function searchDay(at: number, shown: readonly Resource[], random: Random): RecordedSearch['days'][number] {
  const day = new Date(at).toISOString().slice(0, 10);
  const busy = [0, 6].includes(new Date(at).getUTCDay()) ? 1.25 : 1;
  const pages = shown
    .map((page, rank) => ({ path: page.target, ...figuresOf(rank, busy, random) }))
    .filter(({ impressions }) => impressions > 0);
  // The source keeps rare queries back.
  const queries = pages
    .slice(0, 80)
    .map(({ path, ...figures }) => ({ query: wordsOf(path), ...figures }))
    .filter(({ impressions }) => impressions > 5);
  const totals = pages.reduce<SearchFigures>(
    (sum, { impressions, clicks, position }) => addFigures(sum, { impressions, clicks, position }),
    nothing,
  );
  return { totals: { day, ...totals }, pages, queries };
}

/** Fewer and further down the list the lower a page's rank is. */
function figuresOf(rank: number, days: number, random: Random): SearchFigures {
  const impressions = Math.round((days * 900 * (0.7 + random.next() * 0.6)) / (rank + 1) ** 0.8);
  const position = 2 + rank / 25 + random.next() * 2;
  const clicks = Math.round((impressions * 0.3) / position);
  return { impressions, clicks: Math.min(clicks, impressions), position };
}

/** Pages of the catalogue and some of what it no longer has, as a search engine would judge them. */
function inspectionsOf(demo: DemoOptions, shown: readonly Resource[], random: Random) {
  const { retired } = demoSite(demo);
  const of = (path: string, verdict: string, coverageState: string) => {
    const url = `https://${demo.domain}${path}`;
    const inspectedAt = Math.floor(demoWindow(demo).end - random.next() * 3 * DAY_MS);
    return { path, url, verdict, coverageState, engineCanonical: url, inspectedAt };
  };
  return [
    ...shown
      .slice(0, INSPECTED)
      .map(({ target }, index) =>
        index % 11 === 10
          ? of(target, 'NEUTRAL', 'Crawled - currently not indexed')
          : of(target, 'PASS', 'Submitted and indexed'),
      ),
    ...retired.slice(0, 30).map(({ target }) => of(target, 'FAIL', 'Not found (404)')),
  ];
}

/** `/blog/what-to-pack-alps` is looked for as "what to pack alps". */
function wordsOf(path: string): string {
  return path.split('/').at(-1)!.replaceAll('-', ' ') || 'outdoor shop';
}
