import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Registry } from 'prom-client';
import { PublicError } from '../../shared/errors.js';
import type { Logger } from '../../shared/logging/log.js';
import { once } from '../../shared/once.js';
import { type NotReady, readyAnswer } from '../../shared/service/readiness.js';
import { type AnswerCache, createAnswerCache } from './answer-cache/answer-cache.js';
import { countAnswers } from './answer-cache/count-answers.js';
import type { DataVersions } from './answer-cache/data-versions.js';
import { encodedBody } from './answer-cache/encoded-body.js';
import { createStatementKeeper } from './answer-cache/keep-statements.js';
import { webhookRoutes } from './billing/webhook-routes.js';
import { consoleRoutes, consoleScreens } from './console-files/console-routes.js';
import type { ConsoleFiles } from './console-files/read-console.js';
import { alertSettingsRoutes } from './console-session/alert-settings-routes.js';
import { demoRoutes, type LoadDemo } from './console-session/demo-routes.js';
import { keyRoutes } from './console-session/key-routes.js';
import { sessionRoutes } from './console-session/session-routes.js';
import { docsRoutes } from './docs/docs-routes.js';
import { describeApi, OPENAPI_PATH } from './docs/openapi.js';
import { fileRoutes } from './files/file-routes.js';
import { API_PREFIX } from './guides/public-urls.js';
import { createDaysKeeper } from './kept-days/keep-days.js';
import { countRollupReads, showKeptHours } from './kept-hours/count-reads.js';
import { createHoursKeeper, type HoursKeeperOptions } from './kept-hours/keep-hours.js';
import { type RunCall, shareCalls } from './limits/share-calls.js';
import { type ReaderOf, shareReads } from './limits/share-reads.js';
import { mcpRoutes } from './mcp/mcp-routes.js';
import { answerErrors } from './middleware/answer-errors.js';
import { authenticate } from './middleware/authenticate.js';
import { checkAccess, checkPlan, findWebsite } from './middleware/check-access.js';
import type { ApiEnv } from './middleware/env.js';
import { identifyRequest } from './middleware/identify-request.js';
import { type Limit, limitRequests, showToKnown } from './middleware/limit-requests.js';
import { logAccess } from './middleware/log-access.js';
import { measure } from './middleware/measure.js';
import { oauthRoutes } from './oauth/oauth-routes.js';
import { MAX_BODY_BYTES, parseInput } from './operation/input.js';
import { type ApiServices, isSent, type Operation, type WebsiteContext } from './operation/operation.js';
import { listOf, resolveSegment } from './operation/resolve-scope.js';
import { pathOf, pathParametersOf, queryOf } from './operation/routes.js';
import { operations as allOperations } from './operations/all-operations.js';
import { headerOfNames, readQuery } from './read-query.js';
import { answerRead } from './reads/answer-read.js';
import { sendBody } from './reads/send-body.js';
import { answerWrite } from './writes/answer-write.js';

export interface ApiOptions {
  readonly services: ApiServices;
  /** Whether the process can take traffic: state folded, store reachable, not stopping. */
  readonly notReady: () => NotReady | Promise<NotReady>;
  /** Additional fields of the body of /readyz, ready or not. */
  readonly about?: () => object;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** Cryptographically strong. */
  readonly randomBytes: (count: number) => Buffer;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Versions of each website's data (answer-cache/data-versions.ts). */
  readonly dataVersions: DataVersions;
  /** Concurrent everyday statements (limits/share-reads.ts). */
  readonly mostReadsAtOnce: number;
  /** Memory for cached answers. */
  readonly keptAnswersMaxBytes: number;
  /** Memory for rows of hours (kept-hours/keep-hours.ts). */
  readonly keptHours: Pick<HoursKeeperOptions, 'maxBytes' | 'readsBefore'>;
  /** null: there is no console. */
  readonly console: ConsoleFiles | null;
  /** Default null: this program can not load the demo. */
  readonly loadDemo?: LoadDemo | null;
  readonly operations?: readonly Operation[];
}

/** Memory for results of whole days. A website with a typical month of visits from assistants takes 2 MB. */
const KEPT_DAYS_MAX_BYTES = 16 * 1024 ** 2;

export type Api = Hono<ApiEnv>;

/** The whole API as one value, so that `createApi(…).request('/public/v1/…')` works without a socket. */
export function createApi(options: ApiOptions): Api {
  const { services, now, logger, registry, operations = allOperations } = options;
  const api = new Hono<ApiEnv>();
  api.onError(answerErrors);
  api.notFound((c) => {
    showToKnown(c, services, now());
    c.header('Cache-Control', 'no-store');
    return c.json({ detail: `Unknown path; ${OPENAPI_PATH} lists all paths.` }, 404);
  });

  api.use(identifyRequest(logger, options.newRequestId));
  serveHealth(api, options);
  // After the probes, which would otherwise dominate the log and the metrics.
  api.use(logAccess(now, logger), measure(registry, now));
  const document = once(() => describeApi(operations, services.urls));
  const limitOf = limitRequests(options);
  serveDescription(api, document, services);
  if (options.console !== null) {
    api.route('/', consoleRoutes(options.console));
    api.route('/', sessionRoutes(services, now));
    api.route('/', keyRoutes(services, now));
    api.route('/', alertSettingsRoutes(services, now, limitOf({ bucket: 'writes' })));
    api.route('/', demoRoutes(services, now, options.loadDemo ?? null));
    api.route('/', oauthRoutes(options));
  }
  // Relative, as in the pages: behind a proxy there may be a path before this one.
  if (options.console === null) api.get('/', (c) => c.redirect(`.${API_PREFIX}/docs`));
  api.route('/', webhookRoutes(services, now));
  api.route('/', fileRoutes(services, now));
  const hasConsole = options.console !== null;
  api.route(
    '/',
    mcpRoutes(api, { services, now, randomBytes: options.randomBytes, operations, document, hasConsole }),
  );
  const runCall = shareCalls();
  const shared = shareReads(services.reader, { now, mostAtOnce: options.mostReadsAtOnce });
  const keepStatements = createStatementKeeper(options.dataVersions, now);
  const hours = createHoursKeeper({
    versions: options.dataVersions,
    now,
    filler: services.reader,
    onRead: countRollupReads(registry),
    ...options.keptHours,
  });
  showKeptHours(registry, hours.bytes);
  const keptDays = createDaysKeeper({ versions: options.dataVersions, now, maxBytes: KEPT_DAYS_MAX_BYTES });
  const readerOf: ReaderOf = (organisationId, signal) => ({
    ...hours.withHours(
      keepStatements(shared.readerOf(organisationId, signal)),
      shared.payerOf(organisationId),
    ),
    keptDays,
  });
  const answers = createAnswerCache({
    versions: options.dataVersions,
    maxBytes: options.keptAnswersMaxBytes,
    onAnswer: countAnswers(registry),
  });
  for (const operation of operations) {
    const limit = limitOf({ bucket: operation.bucket, allPlans: operation.plans === 'all' });
    serve(api, operation, { ...options, limit, readerOf, runCall, answers });
  }
  refuseOtherMethods(api, options);
  if (options.console !== null) {
    const taken = api.routes.map(({ path }) => path);
    api.get('*', consoleScreens(options.console, taken));
  }
  return api;
}

function serveHealth(api: Api, { notReady, about }: ApiOptions): void {
  api.get('/healthz', (c) => c.json({ status: 'ok' }));
  api.get('/readyz', async (c) => {
    const { status, body } = readyAnswer(await notReady(), about?.());
    return c.json(body, status);
  });
}

function serveDescription(
  api: Api,
  document: () => ReturnType<typeof describeApi>,
  { urls }: ApiServices,
): void {
  const body = once(() => encodedBody(JSON.stringify(document())));
  api.get(OPENAPI_PATH, (c) => sendBody(c, body(), { status: 200, revalidate: true }));
  api.get(API_PREFIX, (c) => c.redirect(`.${API_PREFIX.slice(API_PREFIX.lastIndexOf('/'))}/docs`));
  api.route('/', docsRoutes(urls));
}

interface Shared {
  readonly limit: Limit;
  readonly readerOf: ReaderOf;
  readonly runCall: RunCall;
  readonly answers: AnswerCache;
}

/** Serves one operation: authentication, plan and scope, website, input; then its run. */
function serve(
  api: Api,
  operation: Operation,
  { services, now, randomBytes, limit, readerOf, runCall, answers }: ApiOptions & Shared,
): void {
  const query = queryOf(operation);
  const pathParameters = pathParametersOf(operation);
  api.on(
    operation.method,
    routerPath(operation),
    async (c, next) => {
      c.set('operationId', operation.id);
      await next();
    },
    authenticate(services, now),
    limit.show,
    checkPlan(services.control, operation.plans),
    checkAccess(operation.access),
    limit.take,
    ...(isSent(operation) ? [bodyLimit({ maxSize: MAX_BODY_BYTES })] : []),
    ...(operation.kind === 'website' ? [findWebsite(services.control)] : []),
    async (c) => {
      const parsed = readQuery(query, c.req.queries());
      const parameters = {
        ...parseInput(pathParameters, c.req.param()),
        ...parseInput(query, parsed.given),
      } as Record<string, unknown>;
      const context = { caller: c.get('caller'), website: c.get('website'), now: now(), services };
      const ignored = [...parsed.ignored, ...namesOfNoSegment(parsed.given, context)];
      if (ignored.length > 0) c.header('X-Ignored-Parameters', headerOfNames(ignored));
      return isSent(operation)
        ? answerWrite(c, operation, { parameters, context, readerOf, randomBytes })
        : answerRead(c, operation, { parameters, ignored, context, readerOf, runCall, answers });
    },
  );
}

/** Names of parameters whose id is no segment of the website; these are ignored. */
function namesOfNoSegment(
  { segment, segments }: Readonly<Record<string, string>>,
  context: WebsiteContext,
): string[] {
  const segmentIds = { segment: segment === undefined ? [] : [segment], segments: listOf(segments) };
  return Object.entries(segmentIds).flatMap(([name, ids]) =>
    ids.some((id) => resolveSegment(id, context) === null) ? [name] : [],
  );
}

function routerPath(operation: Operation): string {
  return pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1');
}

/** A known path answers other methods with 405 and the allowed methods. */
function refuseOtherMethods(api: Api, { services, now }: ApiOptions): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of api.routes) {
    if (method === 'ALL') continue;
    const knownMethods = methods.get(path) ?? new Set();
    knownMethods.add(method);
    // Hono answers HEAD wherever it answers GET.
    if (method === 'GET') knownMethods.add('HEAD');
    methods.set(path, knownMethods);
  }
  // A path without parameters comes before one that also matches it: /segments/library, /segments/:segment_id.
  const parametersOf = (path: string) => path.split(':').length;
  const fixedFirst = [...methods].sort(([one], [other]) => parametersOf(one) - parametersOf(other));
  for (const [path, allowed] of fixedFirst) {
    const allow = [...allowed].sort().join(', ');
    api.all(path, (c) => {
      showToKnown(c, services, now());
      c.header('Allow', allow);
      throw new PublicError('method_not_allowed', `${c.req.method}: this path takes ${allow}.`);
    });
  }
}
