import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';

export type Bucket = keyof Answer<'getIndexCoverage'>['buckets'];

/** The five buckets of index coverage, the most urgent first. */
export const buckets: ReadonlyMap<string, string> = new Map<Bucket, string>([
  ['crawled_indexed', 'Crawled and listed'],
  ['crawled_not_indexed', 'Crawled, not listed'],
  ['not_crawled_indexed', 'Listed, not crawled lately'],
  ['not_crawled_not_indexed', 'Neither crawled nor listed'],
  ['pending_inspection', 'The engine was not asked yet'],
]);

/** The bucket and the directory that the address chooses, and changes of them. */
export function useCoverageChoice() {
  const { address, go } = useAddress();
  const { bucket, directory } = address.rest;
  const choose = (name: 'bucket' | 'directory', value: string) => {
    const { [name]: chosen, page: _, ...others } = address.rest;
    go({ rest: chosen === value ? others : { ...others, [name]: value } });
  };
  return {
    bucket: bucket !== undefined && buckets.has(bucket) ? bucket : null,
    directory: directory ?? null,
    choose,
  };
}
