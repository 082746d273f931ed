import type { Section } from '../model/document.js';
import type { ReportData } from '../model/report-data.js';
import { changeNote, column, nameText, pathText, percent, table, whole } from '../model/texts.js';

const MOST_ROWS = 10;

/** The search engine's results for the website. null: no source is connected, or it has no data yet. */
export function searchResults({ searchResults: told }: ReportData): Section | null {
  if (told === null || told.totals === null || told.window === null) return null;
  const { totals, previous, window } = told;
  const before = previous !== null && previous.days_with_data === window.days ? previous : null;
  const changed = (now: number, then: number | undefined) =>
    changeNote(then === undefined || then === 0 ? null : (100 * (now - then)) / then);
  return {
    id: 'search-results',
    title: 'Search results',
    blocks: [
      {
        kind: 'figures',
        figures: [
          {
            label: 'Impressions',
            value: whole(totals.impressions),
            note: changed(totals.impressions, before?.impressions),
          },
          { label: 'Clicks', value: whole(totals.clicks), note: changed(totals.clicks, before?.clicks) },
          { label: 'Click rate', value: percent(100 * totals.ctr), note: 'of the whole website' },
          { label: 'Average position', value: placeText(totals.position), note: 'weighted by impressions' },
        ],
      },
      { kind: 'text', text: daysText(told.source, window, totals.days_with_data) },
      listOf(
        'Most clicked queries',
        'Query',
        (told.top_queries ?? []).map((each) => ({ ...each, name: nameText(each.query) })),
      ),
      listOf(
        'Most clicked pages',
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
  const missing = told === days ? '' : ` It has data for ${told} of these ${days} days.`;
  return `Data of ${name}, ${start} to ${end}.${missing}`;
}

const placeText = (position: number | null) =>
  position === null ? 'not known' : position.toLocaleString('en-GB', { maximumFractionDigits: 1 });

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
      column('Impressions', 'number'),
      column('Clicks', 'number'),
      column('Click rate', 'number'),
      column('Position', 'number'),
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
