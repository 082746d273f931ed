import type { RawRequest } from '../raw-request.js';
import { type ColumnGatherer, createColumnGatherer } from './gather-columns.js';
import type { RequestColumns } from './request-columns.js';

/** One for all that is gathered at once: its arrays are large, and what it holds is taken before anybody else comes. */
let gatherer: ColumnGatherer | null = null;
let capacity = 0;

/** The requests as columns. @throws RangeError where a number does not fit. */
export function toColumns(requests: readonly RawRequest[]): RequestColumns {
  if (gatherer === null || requests.length > capacity) {
    capacity = requests.length;
    gatherer = createColumnGatherer(capacity);
  }
  try {
    for (const request of requests) gatherer.add(request);
    return gatherer.take();
  } catch (error) {
    gatherer = null;
    throw error;
  }
}
