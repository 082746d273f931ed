import { isResolved } from '../../../../shared/control/aggregates/resolution.js';
import type { RecommendationInput } from '../../../../shared/reads/recommendations/recommendation-input.js';
import type { WebsiteContext } from '../../operation/operation.js';

/** Input of the recommendations for the website of the call. */
export function recommendationInput({ website, services }: WebsiteContext): RecommendationInput {
  return {
    isResolved: (key, newest) => isResolved(services.control.state(), { websiteId: website.id, key, newest }),
    sharedNetworkOf: services.sharedNetworkOf,
    isSearchCrawler: services.isSearchCrawler,
  };
}
