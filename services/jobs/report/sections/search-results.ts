import type { Section } from '../document.js';
import type { ReportData } from '../report-data.js';
import { change, column, nameText, pathText, percent, table, whole } from '../texts.js';

const MOST_ROWS = 10;

/** What a search engine showed of the website. null: no source is connected, or it has told nothing yet. */
export function searchResults({ searchResults: told }: ReportData): Section | null {
  if (told === null || told.totals === null || told.window === null) return null;
  const { totals, previous, window } = told;
  const before = previous !== null && previous.days_with_data === window.days ? previous : null;
  const changed = (now: number, then: number | undefined) =>
    change(then === undefined || then === 0 ? null : (100 * (now - then)) / then);
  return {
    id: 'search-results',
    title: 'Search results',
    blocks: [
      {
        kind: 'figures',
        figures: [
          {
            label: 'Shown',
            value: whole(totals.impressions),
            note: changed(totals.impressions, before?.impressions),
          },
          { label: 'Clicked', value: whole(totals.clicks), note: changed(totals.clicks, before?.clicks) },
          { label: 'Clicks per time shown', value: percent(100 * totals.ctr), note: 'of the whole website' },
          { label: 'Mean place', value: placeText(totals.position), note: 'from 1, weighted by times shown' },
        ],
      },
      { kind: 'text', text: daysText(told.source, window, totals.days_with_data) },
      listOf(
        'What people looked for',
        'Query',
        (told.top_queries ?? []).map((each) => ({ ...each, name: nameText(each.query) })),
      ),
      listOf(
        'Pages that were clicked most',
        'Page',
        (told.top_pages ?? []).map((each) => ({ ...each, name: pathText(each.path) })),
      ),
    ],
  };
}

const sources = new Map([
  ['google-search-console', 'Google Search Console'],
  ['bing-webmaster', 'Bing Webmaster Tools'],
]);

function daysText(
  source: string | null,
  { start, end, days }: { start: string; end: string; days: number },
  told: number,
) {
  const name = sources.get(source ?? '') ?? 'the connected source';
  const missing = told === days ? '' : ` It has told ${told} of these ${days} days.`;
  return `Days from ${start} to ${end}, as ${name} tells them.${missing}`;
}

const placeText = (position: number | null) =>
  position === null ? 'not told' : position.toLocaleString('en-GB', { maximumFractionDigits: 1 });

interface Row {
  readonly name: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly ctr: number;
  readonly position: number | null;
}

function listOf(caption: string, title: string, rows: readonly Row[]) {
  return table(
    caption,
    [
      column(title, 'path'),
      column('Shown', 'number'),
      column('Clicked', 'number'),
      column('Share', 'number'),
      column('Place', 'number'),
    ],
    rows
      .slice(0, MOST_ROWS)
      .map(({ name, impressions, clicks, ctr, position }) => [
        name,
        whole(impressions),
        whole(clicks),
        percent(100 * ctr),
        placeText(position),
      ]),
  );
}
