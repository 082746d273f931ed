import type { NewestEvidence } from '../../control/aggregates/resolution.js';
import type { SharedNetworkOf } from '../../crawlers/shared-networks.js';

/** Further input of recommendations, besides the website's requests and alerts. */
export interface RecommendationInput {
  /** Whether somebody marked it as done, without newer evidence. */
  readonly isResolved: (key: string, newest: NewestEvidence) => boolean;
  readonly sharedNetworkOf: SharedNetworkOf;
  /** By the claimed bot name. */
  readonly isSearchCrawler: (botName: string) => boolean;
}
