import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { PublicUrls } from '../../shared/service/public-urls.js';
import type { Operation } from './operation.js';
import { API_PREFIX } from './public-urls.js';
import { answerOf, pathOf, pathParametersOf, queryOf } from './routes.js';

/** The OpenAPI 3.1 document, made from the operations; make it once and keep it. */

const problem = z
  .object({ detail: z.string().openapi({ example: 'Website not found.' }) })
  .openapi('Error', { description: 'What went wrong, for people (spec §7).' });

const websiteId = z.string().openapi({
  param: { name: 'website_id', in: 'path' },
  description: 'Id of a website of the organisation.',
});

export function describeApi(operations: readonly Operation[], urls: PublicUrls) {
  const document = new OpenAPIHono();
  document.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (llapi_…) of scope read or read_write; a write needs read_write.',
  });
  for (const operation of operations) document.openAPIRegistry.registerPath(routeOf(operation));
  return document.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Loglane API',
      version: '1',
      description:
        'Request logs as analytics for search-engine optimisation, AI-crawler visibility and security. Timestamps are ISO 8601 in UTC. Answers may gain fields: ignore what you do not know.',
    },
    servers: [{ url: urls.base }],
    security: [{ apiKey: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
  });
}

function routeOf(operation: Operation) {
  const { id, tag, summary, description, method } = operation;
  const pathParameters = pathParametersOf(operation);
  const params =
    operation.kind === 'website' ? z.object({ website_id: websiteId, ...pathParameters.shape }) : undefined;
  return createRoute({
    operationId: id,
    tags: [tag],
    summary,
    description,
    method,
    path: pathOf(operation),
    security: [{ apiKey: [] }],
    request: {
      ...(params === undefined ? {} : { params }),
      query: queryOf(operation),
      ...(operation.method === 'post'
        ? { body: { required: true, content: { 'application/json': { schema: operation.input } } } }
        : {}),
    },
    responses: {
      200: { description: 'Success.', content: { 'application/json': { schema: answerOf(operation) } } },
      ...refusalsOf(operation),
    },
  });
}

function refusalsOf(operation: Operation) {
  const refusal = (description: string) => ({
    description,
    content: { 'application/json': { schema: problem } },
  });
  const conflict = operation.kind === 'account' ? operation.conflict : undefined;
  return {
    400: refusal('A parameter is wrong; detail names it, what was expected and what came.'),
    401: refusal('Missing or invalid API key.'),
    403: refusal(
      operation.method === 'post'
        ? 'Plan without API access, or a read-only key.'
        : 'Plan without API access.',
    ),
    ...(operation.kind === 'website' ? { 404: refusal('Website not found.') } : {}),
    ...(conflict === undefined ? {} : { 409: refusal(conflict) }),
    ...(operation.method === 'post' ? { 413: refusal('The body is too large.') } : {}),
    500: refusal('Internal server error; detail names the request.'),
    503: refusal('The data store is away or too slow; repeat the call after Retry-After seconds.'),
  };
}

export const OPENAPI_PATH = `${API_PREFIX}/openapi.json`;
