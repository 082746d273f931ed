import type { NewestEvidence } from '../../control/aggregates/resolution.js';
import type { SharedNetworkOf } from '../../crawlers/shared-networks.js';

/** What recommendations rest on beside the website's requests and alerts. */
export interface RecommendationInput {
  /** Whether somebody marked it as done, and nothing newer speaks against that. */
  readonly isResolved: (key: string, newest: NewestEvidence) => boolean;
  readonly sharedNetworkOf: SharedNetworkOf;
  /** By the name that requests claim. */
  readonly isSearchCrawler: (botName: string) => boolean;
}
