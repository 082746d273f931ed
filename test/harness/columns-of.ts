import { decodeColumnBlock, encodeRawBlock } from '../../shared/requests/columns/raw-block-codec.js';
import type { RequestColumns } from '../../shared/requests/columns/request-columns.js';
import type { RawRequest } from '../../shared/requests/raw-request.js';

/** Requests as the columns of a decoded block. */
export function columnsOf(requests: RawRequest[]): RequestColumns {
  const head = { website_id: 'w', source: 's', upload_id: 'u', received_at: 0 };
  return decodeColumnBlock(encodeRawBlock({ ...head, requests })).columns;
}
