import type { Platform } from '../../shared/control/model.js';
import type { PublicUrls } from '../../shared/service/public-urls.js';

export const API_PREFIX = '/public/v1';

/** The page that says how logs of this platform reach us (docs/guide-page.ts). */
export function guideUrl(urls: PublicUrls, sourceType: Platform): string {
  return `${urls.base}${API_PREFIX}/docs/guides/${sourceType}`;
}
