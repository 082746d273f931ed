import type { DemoOptions } from './traffic/demo-traffic.js';
import { searchResults } from './traffic/search-results.js';

/**
 * Connects the shop with a search-performance source that is recorded, not called: no search engine knows a shop that does not exist.
 * @param post of the operator's commands. @throws what `post` throws.
 */
export async function putSearchResults(
  post: (path: string, body: unknown) => Promise<unknown>,
  demo: DemoOptions,
  websiteId: string,
): Promise<void> {
  await post('/connections', {
    websiteId,
    kind: 'google-search-console',
    property: `sc-domain:${demo.domain}`,
    credential: { type: 'recorded' },
  });
  for (const recorded of searchResults(demo, websiteId)) await post('/recorded-search', recorded);
}
