import { z } from '@hono/zod-openapi';
import { pendingUpload } from '../arrivals/pending-upload-mark.js';
import { API_PREFIX } from '../guides/public-urls.js';
import { isSent, type Operation } from './operation.js';
import { fullTextsParameter, maxRowsParameter } from './parameters.js';

/** Properties derived from an operation, shared by the router, the OpenAPI document and the tests. */

/** Parameters as {name}. */
export function pathOf(operation: Operation): string {
  return operation.kind === 'website'
    ? `${API_PREFIX}/websites/{website_id}${operation.path}`
    : `${API_PREFIX}${operation.path}`;
}

/** The query of a read, with the parameters of all reads (max_rows: spec §2.1); writes have none. */
export function queryOf(operation: Operation): z.ZodObject {
  if (isSent(operation)) return z.object({});
  const ofWebsite = operation.kind === 'website' ? { full_texts: fullTextsParameter } : {};
  return operation.query.extend({ max_rows: maxRowsParameter, ...ofWebsite });
}

/** Path parameters besides website_id. */
export function pathParametersOf(operation: Operation): z.ZodObject {
  return operation.pathParameters ?? z.object({});
}

const truncated = z
  .object({
    max_rows: z.int(),
    original_counts: z.record(z.string(), z.int()).openapi({
      description: 'Field path → original length, for each cut list.',
      example: { bots: 214, 'bots[0].rejected_paths': 5 },
    }),
    note: z.string(),
  })
  .openapi('Truncated');

const ignoredNames = z.array(z.string()).openapi({
  description:
    'Parameters of the call without effect: not supported by this read, an unknown segment, or start without end. Absent if there are none.',
  example: ['contry'],
});

/**
 * Schema of a 200. A read gets `_truncated` if max_rows cut a list, and `_ignored_parameters` if some parameters had no effect. A website
 * read gets `_pending_upload` while accepted lines are not stored.
 */
export function answerOf(operation: Operation): z.ZodType {
  if (isSent(operation) || !(operation.answer instanceof z.ZodObject)) return operation.answer;
  return operation.answer.extend({
    _truncated: truncated.optional(),
    _ignored_parameters: ignoredNames.optional(),
    ...(operation.kind === 'website' && { _pending_upload: pendingUpload.optional() }),
  });
}
