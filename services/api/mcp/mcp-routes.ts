import { type AuthInfo, createMcpHandler, originValidationResponse } from '@modelcontextprotocol/server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { StoredApiKey } from '../../../shared/control/domain/model.js';
import { PublicError } from '../../../shared/errors.js';
import type { Logger } from '../../../shared/logging/log.js';
import { createTokenBuckets } from '../../../shared/pacing/token-buckets.js';
import type { PublicUrls } from '../../../shared/service/public-urls.js';
import { authenticate } from '../middleware/authenticate.js';
import type { ApiEnv } from '../middleware/env.js';
import { protectedResourceUrl } from '../oauth/metadata.js';
import { MAX_BODY_BYTES } from '../operation/input.js';
import type { ApiServices, Operation } from '../operation/operation.js';
import type { Api } from './call-operation.js';
import { cleanErrors } from './clean-errors.js';
import { createServer } from './mcp-server.js';
import type { ApiDocument } from './tools/tool.js';

/** The MCP server at /mcp: stateless, of both protocol eras, with the API's keys. */

export interface McpOptions {
  readonly services: ApiServices;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Cryptographically strong. */
  readonly randomBytes: (count: number) => Buffer;
  readonly operations: readonly Operation[];
  readonly document: () => ApiDocument;
  readonly hasConsole: boolean;
}

/**
 * Calls of tools count in the hourly limit. Lists, prompts and resources do not, and are prepared in memory: a key may send so many messages
 * at once, and one more each second.
 */
const MOST_MESSAGES = 600;
const MESSAGES_PER_SECOND = 1;
/** All keys of an organisation together may send as many messages as so many keys: it can make many keys. */
const KEYS_AT_ONCE = 10;

/** `fetch` knows no TRACE and CONNECT, so a copy of such a request can not be made. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The SDK wants an end of each key. The next request checks the key again. */
const SECONDS_OF_A_KEY = 3_600;

interface Extra extends Record<string, unknown> {
  readonly requestId: string;
  readonly scope: 'read' | 'read_write';
  readonly methods: readonly string[];
  readonly log: Logger;
}

/** @param api answers the calls of the tools. */
export function mcpRoutes(api: Api, options: McpOptions): Hono<ApiEnv> {
  const { services, now, randomBytes, document, hasConsole } = options;
  const { urls } = services;
  const metadata = hasConsole ? protectedResourceUrl(urls) : null;
  const operations = new Map(options.operations.map((operation) => [operation.id, operation]));
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { requestId, scope, methods, log } = authInfo!.extra as Extra;
      return createServer({
        api,
        key: authInfo!.token,
        requestId,
        scope,
        methods,
        operations,
        document,
        now,
        randomBytes,
        console: hasConsole ? urls.base : null,
        onFailure: (err, tool) => log.error({ err, tool }, 'a tool failed'),
      });
    },
    // Nothing changes that a client could wait for.
    { maxSubscriptions: 0, maxRequestBodySize: MAX_BODY_BYTES },
  );
  const take = messageLimit(now);
  const routes = new Hono<ApiEnv>();
  routes.on(
    METHODS,
    '/mcp',
    takeKey,
    challenge(metadata),
    refuseForeignPages(urls),
    authenticate(services, now),
    bodyLimit({ maxSize: MAX_BODY_BYTES }),
    async (c) => {
      const { apiKey } = c.get('caller');
      // The first message before the body is read: reading and parsing it is a part of the cost.
      take(apiKey, 1);
      const parsedBody = c.req.method === 'POST' ? parse(await c.req.text()) : undefined;
      const methods = methodsOf(parsedBody);
      // Each entry of a batch is checked, also one without a method.
      if (Array.isArray(parsedBody) && parsedBody.length > 1) take(apiKey, parsedBody.length - 1);
      const authInfo = authOf(c, { now, metadata, methods });
      const { url, method, headers, signal } = c.req.raw;
      // The SDK takes the parsed body. A text that is no JSON has none: the SDK then reads the empty one and refuses it.
      const request = new Request(url, { method, headers, signal, ...(method === 'POST' && { body: '' }) });
      return cleanErrors(
        await handler.fetch(request, { authInfo, ...(parsedBody !== undefined && { parsedBody }) }),
      );
    },
  );
  return routes;
}

/**
 * Moves the key of `?apiKey=` into the header, so that no later step sees it in an address. A cookie opens nothing here: a session of the
 * console is for the console's pages.
 */
const takeKey: MiddlewareHandler<ApiEnv> = async (c, next) => {
  c.set('operationId', 'mcp');
  const { raw } = c.req;
  const url = new URL(raw.url);
  const headers = new Headers(raw.headers);
  headers.delete('Cookie');
  const key = url.searchParams.get('apiKey');
  if (key !== null && !headers.has('Authorization') && /^[\w-]{1,200}$/.test(key))
    headers.set('Authorization', `Bearer ${key}`);
  url.searchParams.delete('apiKey');
  const hasBody = raw.method !== 'GET' && raw.method !== 'HEAD' && raw.body !== null;
  c.req.raw = new Request(url, {
    method: raw.method,
    headers,
    signal: raw.signal,
    ...(hasBody && { body: raw.body, duplex: 'half' }),
  });
  c.env = { ...c.env, throughMcp: true };
  await next();
};

/** A client without a valid key learns from the header how to sign in (RFC 9728). @param metadata null: signing in needs the console. */
function challenge(metadata: string | null): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await next();
    if (c.res.status !== 401) return;
    const reason = c.req.header('Authorization') === undefined ? '' : ', error="invalid_token"';
    const address = metadata === null ? '' : `, resource_metadata="${metadata}"`;
    c.header('WWW-Authenticate', `Bearer realm="loglane"${reason}${address}`);
  };
}

/** A browser names the page that makes a call in Origin; a program sends none. */
function refuseForeignPages({ base }: PublicUrls): MiddlewareHandler<ApiEnv> {
  const hosts = [new URL(base).hostname, 'localhost', '127.0.0.1', '[::1]'];
  return async (c, next) => {
    const refused = originValidationResponse(c.req.raw, hosts);
    if (refused !== undefined) return refused;
    await next();
    return undefined;
  };
}

interface Auth {
  readonly now: () => number;
  readonly metadata: string | null;
  readonly methods: readonly string[];
}

function authOf(c: Context<ApiEnv>, { now, metadata, methods }: Auth): AuthInfo {
  const { apiKey } = c.get('caller');
  const scope = apiKey.scope === 'read_write' ? 'read_write' : 'read';
  const extra: Extra = { requestId: c.get('requestId'), scope, methods, log: c.get('log') };
  return {
    token: c.get('clearKey'),
    clientId: apiKey.id,
    scopes: scope === 'read_write' ? ['read', 'read_write'] : ['read'],
    expiresAt: Math.floor(now() / 1_000) + SECONDS_OF_A_KEY,
    ...(metadata !== null && { resourceMetadataUrl: metadata }),
    extra,
  };
}

type Take = (apiKey: Pick<StoredApiKey, 'id' | 'organisationId'>, count: number) => void;

/** @returns a function that throws PublicError (rate_limited) if the key, or all keys of its organisation, sent too many messages. */
function messageLimit(now: () => number): Take {
  const ofKeys = createTokenBuckets({ perSecond: MESSAGES_PER_SECOND, burst: MOST_MESSAGES, now });
  const ofOrganisations = createTokenBuckets({
    perSecond: KEYS_AT_ONCE * MESSAGES_PER_SECOND,
    burst: KEYS_AT_ONCE * MOST_MESSAGES,
    now,
  });
  return ({ id, organisationId }, count) => {
    const full = [
      { buckets: ofKeys, key: id, whose: 'A key', keys: 1 },
      {
        buckets: ofOrganisations,
        key: organisationId,
        whose: 'The keys of an organisation',
        keys: KEYS_AT_ONCE,
      },
    ].find(({ buckets, key }) => !buckets.take(key, count));
    if (full === undefined) return;
    throw new PublicError(
      'rate_limited',
      `${full.whose} may send ${full.keys * MOST_MESSAGES} messages at once to /mcp, and ${full.keys * MESSAGES_PER_SECOND} a second after them.`,
      { retryAfterSeconds: Math.max(1, Math.ceil(full.buckets.delayMs(full.key) / 1_000)) },
    );
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Methods of a message, or of each message of a batch. */
function methodsOf(body: unknown): string[] {
  const messages = Array.isArray(body) ? body : [body];
  return messages.flatMap((message: { method?: unknown } | null | undefined) =>
    typeof message?.method === 'string' ? [message.method] : [],
  );
}
