import { z } from '@hono/zod-openapi';
import { pendingUpload } from '../arrivals/pending-upload-mark.js';
import { API_PREFIX } from '../guides/public-urls.js';
import { isSent, type Operation } from './operation.js';
import { fullTextsParameter, maxRowsParameter } from './parameters.js';

/** What follows from an operation, said once for the router, the OpenAPI document and the tests. */

/** Parameters as {name}. */
export function pathOf(operation: Operation): string {
  return operation.kind === 'website'
    ? `${API_PREFIX}/websites/{website_id}${operation.path}`
    : `${API_PREFIX}${operation.path}`;
}

/** The query of a read, with what all reads take (max_rows: spec §2.1); what is sent has none. */
export function queryOf(operation: Operation): z.ZodObject {
  if (isSent(operation)) return z.object({});
  const ofWebsite = operation.kind === 'website' ? { full_texts: fullTextsParameter } : {};
  return operation.query.extend({ max_rows: maxRowsParameter, ...ofWebsite });
}

/** Those beyond website_id. */
export function pathParametersOf(operation: Operation): z.ZodObject {
  return operation.pathParameters ?? z.object({});
}

const truncated = z
  .object({
    max_rows: z.int(),
    original_counts: z.record(z.string(), z.int()).openapi({
      description: 'Field path → length before the cut, of the lists that were cut.',
      example: { bots: 214, 'bots[0].rejected_paths': 5 },
    }),
    note: z.string(),
  })
  .openapi('Truncated');

const ignoredNames = z.array(z.string()).openapi({
  description:
    'Parameters of the call that narrowed nothing: this read does not take them, a segment that the website does not have, or start without end. Present only where there are some.',
  example: ['contry'],
});

/**
 * What a 200 holds. A read gains `_truncated` where max_rows cut something, `_ignored_parameters` where some had no effect, and one of a website
 * `_pending_upload` where accepted lines are not stored yet.
 */
export function answerOf(operation: Operation): z.ZodType {
  if (isSent(operation) || !(operation.answer instanceof z.ZodObject)) return operation.answer;
  return operation.answer.extend({
    _truncated: truncated.optional(),
    _ignored_parameters: ignoredNames.optional(),
    ...(operation.kind === 'website' && { _pending_upload: pendingUpload.optional() }),
  });
}
