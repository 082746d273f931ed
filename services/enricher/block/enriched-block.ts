import type { Judgement } from '../../../shared/crawlers/judge-request.js';
import type { ColumnBlock } from '../../../shared/requests/columns/column-block-codec.js';
import type { RequestColumns } from '../../../shared/requests/columns/request-columns.js';
import type { Enrichment } from '../../../shared/requests/enriched-request.js';

/**
 * A block of requests with the enriched values of its rows. Shared values are computed once: each facet has
 * its values, and for each row the index of one.
 */
export interface EnrichedBlock {
  readonly columns: RequestColumns;
  readonly target: Facet<TargetFacts>;
  readonly location: Facet<LocationFacts>;
  readonly judgement: Facet<Judgement>;
  readonly referral: Facet<ReferralFacts>;
  /** For each row: 1 for a probe, else 0. */
  readonly isProbe: Uint8Array;
}

export interface Facet<Value> {
  readonly values: readonly Value[];
  readonly ids: ArrayLike<number>;
}

export type TargetFacts = Pick<Enrichment, 'path' | 'query' | 'sent_target' | 'file_type'>;
export type LocationFacts = Pick<Enrichment, 'country' | 'region' | 'city' | 'asn' | 'as_name'>;
export type ReferralFacts = Pick<Enrichment, 'referrer_domain' | 'referrer_class' | 'ai_operator'>;

/**
 * Enriches a block of the log.
 * @throws Error if that is impossible: the whole block is then dead
 */
export type EnrichBlock = (block: ColumnBlock) => EnrichedBlock;
