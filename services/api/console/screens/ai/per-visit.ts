import type { Answer } from '../../api/operations.js';

type Operator = Answer<'getAiFunnel'>['operators'][number];

/** Null also without reads: visits without reads have no ratio. */
export function perVisit(reads: number, ratio: number | null): number | null {
  return reads === 0 ? null : ratio;
}

export function readsPerVisit({ fetches, training_requests, reads_per_visit }: Operator): number | null {
  return perVisit(fetches + training_requests, reads_per_visit);
}
