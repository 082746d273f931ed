import type { PublicUrls } from '../../../shared/service/public-urls.js';
import type { Guide } from './all-guides.js';

export const API_PREFIX = '/public/v1';

/** The guide page of this sender (guide-page.ts); null: the list of all guides. */
export function guideUrl({ base }: PublicUrls, guide: Guide | null): string {
  const list = `${base}${API_PREFIX}/docs/guides`;
  return guide === null ? list : `${list}/${guide}`;
}
