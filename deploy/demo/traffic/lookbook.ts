import { type Resource, resource } from './resource.js';

/** The shop's lookbooks. The sitemap lists all of them; no page links those of past seasons any more, nor those of the coming one yet. */

const themes = [
  'first-snow',
  'hut-to-hut',
  'by-the-sea',
  'city-rain',
  'night-trail',
  'family-camp',
  'high-route',
  'slow-river',
];

/** Search crawlers fetched them when they were new, and no more. */
export const pastLookbooks: readonly Resource[] = lookbooksOf('2025-autumn', '2025-winter', '2026-spring');

/** No crawler has found them. */
export const comingLookbooks: readonly Resource[] = lookbooksOf('2027-spring');

function lookbooksOf(...seasons: string[]): Resource[] {
  return seasons.flatMap((season) =>
    themes.map((theme) => resource('post', `/lookbook/${season}/${theme}`, 52_000, 110)),
  );
}
