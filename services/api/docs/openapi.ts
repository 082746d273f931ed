import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { PublicUrls } from '../../../shared/service/public-urls.js';
import { IDEMPOTENCY_KEY } from '../control/idempotency.js';
import { API_PREFIX } from '../guides/public-urls.js';
import { isSent, type Operation } from '../operation/operation.js';
import type { Reply } from '../operation/reply.js';
import { answerOf, pathOf, pathParametersOf, queryOf } from '../operation/routes.js';
import { completeDocument, readExamples } from './complete-document.js';

/** The OpenAPI 3.1 document of the operations. Make it once and store it. */

const problem = z
  .object({ detail: z.string().openapi({ example: 'Website not found.' }) })
  .openapi('Error', { description: 'Readable error message.' });

/** Error body of a conflict. @param codes the values of `code`; without any there is no such field. */
function conflictProblem(codes: readonly string[]) {
  const [first, ...others] = codes;
  if (first === undefined) return problem;
  return problem.extend({
    code: z
      .enum([first, ...others])
      .optional()
      .openapi({ description: 'The kind of conflict; absent for other kinds.' }),
  });
}

const rateLimitProblem = problem
  .extend({
    limit: z.int().openapi({ description: 'Calls of this kind per hour.', example: 2000 }),
    reset_at: z.iso
      .datetime()
      .openapi({ description: 'The next full hour.', example: '2026-11-21T13:00:00.000Z' }),
  })
  .openapi('RateLimitError', {
    description: 'The reached limit and its next reset.',
  });

/** On every answer to a known key. Writes have their own limit besides the plan's. */
const rateHeaders = {
  'X-RateLimit-Limit': { description: 'Calls an hour.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Calls left in this hour.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'The next full hour, when the limit resets.',
    schema: { type: 'string', format: 'date-time' },
  },
} as const;

const rateHeaderReferences = Object.fromEntries(
  Object.keys(rateHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const websiteId = z.string().openapi({
  param: { name: 'website_id', in: 'path' },
  description: 'Id of a website of the organisation.',
});

const examples = readExamples();

const guidesOf = ({ base }: PublicUrls) => `${base}${API_PREFIX}/docs/guides`;

/** The first calls of a new user, in order. */
const startHere = (urls: PublicUrls) =>
  `Request logs as analytics for search-engine optimisation, AI-crawler visibility and security.

**Start here**

1. [Send logs](${guidesOf(urls)}): a guide for each server, CDN and log shipper.
2. \`GET /public/v1/websites\` lists your websites and their ids. \`GET …/setup\` shows received and rejected lines with reasons, and the next steps.
3. \`GET …/summary\` is the overview of people, search crawlers, AI crawlers and errors.
4. \`GET …/recommendations\` lists clients to block and pages to repair.
5. \`POST …/reports/seo\` makes a PDF report; \`GET …/exports\` has the link to it.

Send the API key as \`Authorization: Bearer llapi_…\`. By default a read covers the last 24 hours. Set \`hours\`, or \`start\` and \`end\`, for another window.`;

const CONVENTIONS =
  'Timestamps are ISO 8601 in UTC. Answers may get new fields: ignore unknown ones.\n\nThe scope of a key is read or read_write. Every write adds an entry with the name of the key to the timeline (site events). Calls are counted per clock hour for the whole organisation, writes separately. `X-RateLimit-*` show the state of the limit; 429 has `Retry-After`. A read lists unsupported query parameters in `_ignored_parameters` and in the header `X-Ignored-Parameters`. A list such as `countries` or `host` may be repeated: its values are combined. Every read with `countries` has `host`, and so do exports. Any other parameter with two values is refused. While ingest has accepted lines of a website that are not stored yet, its reads have `_pending_upload`.';

/** The order of the page: sections for new users first. The others follow the order of the operations. */
const FIRST_TAGS = ['Account', 'Setup', 'Traffic', 'Recommendations'];
const LAST_TAGS = ['Billing'];

function tagsOf(operations: readonly Operation[]) {
  const names = [...new Set(operations.map(({ tag }) => tag))];
  const others = names.filter((name) => !FIRST_TAGS.includes(name) && !LAST_TAGS.includes(name));
  return [...FIRST_TAGS, ...others, ...LAST_TAGS]
    .filter((name) => names.includes(name))
    .map((name) => ({ name }));
}

export function describeApi(operations: readonly Operation[], urls: PublicUrls) {
  const document = new OpenAPIHono();
  document.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (llapi_…) of scope read or read_write; writes need read_write.',
  });
  for (const [name, header] of Object.entries(rateHeaders))
    document.openAPIRegistry.registerComponent('headers', name, header);
  for (const operation of operations) document.openAPIRegistry.registerPath(routeOf(operation));
  const described = document.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Loglane API',
      version: '1',
      description: `${startHere(urls)}\n\n${CONVENTIONS}`,
    },
    servers: [{ url: urls.base }],
    security: [{ apiKey: [] }],
    tags: tagsOf(operations),
    externalDocs: {
      description: 'Guides for sending logs from each server, CDN and log shipper',
      url: guidesOf(urls),
    },
  });
  return completeDocument(described, examples);
}

function routeOf(operation: Operation) {
  const { id, tag, summary, description, method } = operation;
  const { shape } = pathParametersOf(operation);
  const params = z.object(operation.kind === 'website' ? { website_id: websiteId, ...shape } : shape);
  return createRoute({
    operationId: id,
    tags: [tag],
    summary,
    description: description + planNote(operation),
    method,
    path: pathOf(operation),
    security: [{ apiKey: [] }],
    request: { params, query: queryOf(operation), ...headersOf(operation), ...bodyOfRequest(operation) },
    responses: {
      ...successesOf(operation),
      ...refusalsOf(operation),
    },
  });
}

function successesOf(operation: Operation): Record<number, never> {
  const successes = operation.replies.map((reply) => [reply.status, successOf(operation, reply)]);
  return { ...Object.fromEntries(successes), ...notModifiedOf(operation) };
}

function successOf(operation: Operation, reply: Reply) {
  if (reply.body === 'redirect')
    return { description: reply.description, headers: { ...rateHeaderReferences, ...locationHeader } };
  return {
    description: reply.status === 201 ? 'Created.' : 'Success.',
    headers: {
      ...rateHeaderReferences,
      ...(isRepeatable(operation) ? replayedHeader : {}),
      ...(isReusable(operation) ? entityTagHeader : {}),
      ...(mayBuffer(operation) ? bufferingHeader : {}),
    },
    content: { 'application/json': { schema: answerOf(operation) } },
  };
}

const locationHeader = {
  Location: { description: 'Address of the file.', schema: { type: 'string' as const, format: 'uri' } },
};

const entityTagHeader = {
  ETag: {
    description:
      'Validator of the answer. A call with this value in If-None-Match is answered 304 without a body while the answer is unchanged.',
    schema: { type: 'string' as const },
  },
};

const bufferingHeader = {
  'Retry-After': {
    description: 'With `data_buffering` true: seconds to wait before a repeat.',
    schema: { type: 'integer' as const },
  },
};

function mayBuffer({ answer }: Operation): boolean {
  return answer instanceof z.ZodObject && 'data_buffering' in answer.shape;
}

/** @returns whether answers can have a validator. */
function isReusable(operation: Operation): boolean {
  return !isSent(operation) && operation.kind === 'website' && operation.reuse !== undefined;
}

function notModifiedOf(operation: Operation) {
  if (!isReusable(operation)) return {};
  return {
    304: {
      description: 'The answer in If-None-Match is still current.',
      headers: { ...rateHeaderReferences, ...entityTagHeader },
    },
  };
}

function planNote({ plans }: Operation): string {
  if (plans === 'starter') return '\n\nStarter plan and above.';
  return plans === 'all' ? '\n\nOn every plan, Free included.' : '';
}

const idempotencyKey = z.string().regex(IDEMPOTENCY_KEY).optional().openapi({
  description:
    'Identifies this request, for example a UUID. A repeat with the same key and the same API key within 24 hours gets the first answer and changes nothing.',
  example: '5c2b8f0e-6f0f-4a5e-9a53-9d0f6d1f7c11',
});

const replayedHeader = {
  'Idempotency-Replayed': {
    description: '`true`: this answer was made for the first request with the key; absent otherwise.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
};

/** @returns whether the operation supports an Idempotency-Key. */
function isRepeatable(operation: Operation): boolean {
  return isSent(operation) && operation.creates === true;
}

function headersOf(operation: Operation) {
  return isRepeatable(operation) ? { headers: z.object({ 'Idempotency-Key': idempotencyKey }) } : {};
}

function bodyOfRequest(operation: Operation) {
  if (!isSent(operation) || operation.body === null) return {};
  const { body: schema, bodyOptional = false } = operation;
  return { body: { required: !bodyOptional, content: { 'application/json': { schema } } } };
}

function refusal(description: string) {
  return {
    description,
    headers: rateHeaderReferences,
    content: { 'application/json': { schema: problem } },
  };
}

/** A refusal with Retry-After. */
function comeAgain(description: string) {
  const retryAfter = {
    description: 'Seconds to wait before a repeat.',
    schema: { type: 'integer' as const },
  };
  return { ...refusal(description), headers: { ...rateHeaderReferences, 'Retry-After': retryAfter } };
}

function refusalsOf(operation: Operation) {
  const { missing, unavailable } = operation;
  const notFound = [operation.kind === 'website' ? 'Website not found.' : '', missing ?? ''].filter(
    (text) => text !== '',
  );
  return {
    400: refusal(
      'A parameter is wrong; detail contains its name, the expected value and the received value.',
    ),
    401: {
      description: 'Missing or invalid API key.',
      content: { 'application/json': { schema: problem } },
    },
    403: refusal(
      operation.access === 'read_write'
        ? 'The plan does not include this, or the key is read-only.'
        : 'The plan does not include this.',
    ),
    ...(notFound.length > 0 ? { 404: refusal(notFound.join(' ')) } : {}),
    ...conflictOf(operation),
    ...(isSent(operation) ? { 413: refusal('The body is too large.') } : {}),
    429: {
      ...comeAgain('A limit is reached, usually the hourly one; repeat the call after Retry-After seconds.'),
      content: { 'application/json': { schema: rateLimitProblem } },
    },
    500: refusal('Internal server error; detail contains the request id.'),
    503: comeAgain(
      unavailable ?? 'The data store is unavailable or too slow; repeat the call after Retry-After seconds.',
    ),
  };
}

/** Codes of control/idempotency.ts. */
const idempotencyCodes = [
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'idempotency_answer_lost',
] as const;

function conflictOf(operation: Operation) {
  if (!isSent(operation)) return {};
  const reasons = [
    operation.conflict ?? '',
    isRepeatable(operation)
      ? 'The Idempotency-Key is in use (`code` idempotency_key_in_use: repeat the call), was used for another request (idempotency_key_reused), or its answer was lost (idempotency_answer_lost).'
      : '',
    'Too many changes at the same time: repeat the call.',
  ].filter((text) => text !== '');
  const codes = [...(operation.conflictCodes ?? []), ...(isRepeatable(operation) ? idempotencyCodes : [])];
  const content = { 'application/json': { schema: conflictProblem(codes) } };
  return { 409: { ...refusal(reasons.join(' ')), content } };
}

export const OPENAPI_PATH = `${API_PREFIX}/openapi.json`;
