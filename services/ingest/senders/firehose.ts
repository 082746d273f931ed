import type { Sender } from './sender.js';

/**
 * Amazon Data Firehose, HTTP endpoint destination. A batch is delivered if the answer is 200 with its request id in a
 * JSON body. Firehose repeats every other status. On 413 it drops the batch, without using its backup bucket.
 */
export const firehose: Sender = {
  name: 'firehose',
  matches: ({ headers }) => headers['x-amz-firehose-request-id'] !== undefined,
  // 1,000 KiB before base64, and its braces.
  longestRecord: 1_500_000,
  shapeAnswer({ status, headers, body }, request, _tally, answeredAt) {
    const requestId = request.headers['x-amz-firehose-request-id'];
    const answer = { requestId: String(requestId).slice(0, LONGEST_ID), timestamp: answeredAt };
    if (status === 200) return { status, headers, body: answer };
    const detail = (body as { readonly detail?: unknown }).detail;
    return {
      status: status === 413 ? 503 : status,
      headers,
      body: { ...answer, errorMessage: String(detail ?? 'failed').slice(0, LONGEST_MESSAGE) },
    };
  },
};

const LONGEST_ID = 255;
/** Its own limit is 8,192 characters. */
const LONGEST_MESSAGE = 1_000;
