import type { EnrichBlock, EnrichedBlock } from '../../services/enricher/block/enriched-block.js';
import { type RequestColumns, requestsOf } from '../../shared/requests/columns/request-columns.js';
import type { Enrichment } from '../../shared/requests/enriched-request.js';
import type { RawBlock, RawRequest } from '../../shared/requests/raw-request.js';
import { columnsOf } from './columns-of.js';

/** Enriches requests one by one with a test's function. */
export function enrichEach(
  enrich: (block: Omit<RawBlock, 'requests'>, request: RawRequest) => Enrichment,
): EnrichBlock {
  return ({ columns, ...head }) =>
    withEnrichments(
      columns,
      requestsOf(columns).map((request) => enrich(head, request)),
    );
}

/** A block of these requests with the given enrichments. */
export function enrichedAs(
  requests: readonly RawRequest[],
  enrichments: readonly Enrichment[],
): EnrichedBlock {
  return withEnrichments(columnsOf([...requests]), enrichments);
}

function withEnrichments(columns: RequestColumns, enrichments: readonly Enrichment[]): EnrichedBlock {
  const facet = { values: enrichments, ids: Uint32Array.from(enrichments.keys()) };
  const isProbe = Uint8Array.from(enrichments, ({ is_probe }) => Number(is_probe));
  return { columns, target: facet, location: facet, judgement: facet, referral: facet, isProbe };
}

/** The enrichment of a row's request. */
export function enrichmentAt(
  { target, location, judgement, referral, isProbe }: EnrichedBlock,
  row: number,
): Enrichment {
  return {
    ...target.values[target.ids[row]!]!,
    ...location.values[location.ids[row]!]!,
    ...judgement.values[judgement.ids[row]!]!,
    ...referral.values[referral.ids[row]!]!,
    is_probe: isProbe[row] === 1,
  };
}
