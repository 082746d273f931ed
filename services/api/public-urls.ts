import type { SourceType } from '../../shared/control/model.js';

/** Addresses as customers see them; without a trailing slash. */
export interface PublicUrls {
  readonly base: string;
  readonly ingest: string;
}

export const API_PREFIX = '/public/v1';

/** The page that says how logs of this platform reach us (docs/guide-page.ts). */
export function guideUrl(urls: PublicUrls, sourceType: SourceType): string {
  return `${urls.base}${API_PREFIX}/docs/guides/${sourceType}`;
}
