import type { PublicUrls } from '../../shared/service/public-urls.js';
import type { Guide } from './docs/guides/list.js';

export const API_PREFIX = '/public/v1';

/** The page that says how logs of this sender reach us (docs/guides/guide-page.ts). */
export function guideUrl(urls: PublicUrls, guide: Guide): string {
  return `${urls.base}${API_PREFIX}/docs/guides/${guide}`;
}
