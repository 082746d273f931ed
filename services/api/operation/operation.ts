import type { z } from '@hono/zod-openapi';
import type { StoredApiKey, Website } from '../../../shared/control/domain/model.js';
import type { PaymentProcessor } from '../../../shared/control/domain/payment-processor.js';
import type { InstallationSeal } from '../../../shared/control/sealing/installation-seal.js';
import type { AiDetection } from '../../../shared/crawlers/referrers.js';
import type { SharedNetworkOf } from '../../../shared/crawlers/shared-networks.js';
import type { TableAge } from '../../../shared/crawlers/table-age.js';
import type { OpenedFiles } from '../../../shared/files/open-file-store.js';
import type { DetectedPlatform } from '../../../shared/platforms/detect-platform.js';
import type { PublicUrls } from '../../../shared/service/public-urls.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import type { UsageCounter } from '../../../shared/usage/usage-counter.js';
import type { Reuse } from '../answer-cache/answer-cache.js';
import type { KnownUploads } from '../arrivals/known-uploads.js';
import type { PendingUploads } from '../arrivals/pending-uploads.js';
import type { Caller, Write } from '../control/api-control.js';
import type { ApiControl } from '../control/control.js';
import type { Bucket } from '../limits/rate-limit.js';
import type { SlowReads } from '../slow-reads/slow-reads.js';
import type { RedirectReply, Reply } from './reply.js';

/**
 * An operation is one value in one file. Its route, OpenAPI text, checks and contract test are made from it.
 * `operations/all-operations.ts` lists all of them. There are two kinds. A website operation works on one website that the key can
 * access (`app.ts` has already answered 401, 403, 404). An account operation works on the organisation.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Services for operations; made in open-api.ts. */
export interface ApiServices {
  readonly reader: ClickHouseReader;
  readonly control: ApiControl;
  readonly slowReads: SlowReads;
  /** Counts calls (by `app.ts`) and uploads (by ingest). */
  readonly usage: UsageCounter;
  /** Results of uploads, as ingest reports them. */
  readonly uploads: KnownUploads;
  /** Websites with accepted lines that are not stored. */
  readonly pendingUploads: PendingUploads;
  /** Never rejects (shared/platforms/detect-platform.ts). */
  readonly detectPlatform: (domain: string) => Promise<DetectedPlatform>;
  readonly urls: PublicUrls;
  /** null: this installation has no payments. */
  readonly payments: PaymentProcessor | null;
  /** Return address for customers after the payment page. */
  readonly billingReturnUrl: string;
  /** The canonical name of a crawler, ignoring case; null if the crawler table lacks it (shared/crawlers/canonical-name.ts). */
  readonly crawlerName: (name: string) => string | null;
  /** The family that is the subject of a bot's alerts (shared/crawlers/canonical-name.ts). */
  readonly crawlerFamily: (name: string) => string;
  /** Whether this claimed name belongs to a search crawler. */
  readonly isSearchCrawler: (name: string) => boolean;
  /** Whether the operator of this family publishes the addresses of its crawlers. */
  readonly publishesRanges: (family: string) => boolean;
  /** The shared network of an address: blocking it also blocks other users (shared/crawlers/shared-networks.ts). */
  readonly sharedNetworkOf: SharedNetworkOf;
  /** Age of the address lists that verify crawler claims. */
  readonly crawlerListsAge: () => TableAge;
  /** Rules that detect visits from AI assistants. */
  readonly aiDetection: AiDetection;
  /** Storage of exports; null: this installation stores no files. */
  readonly files: OpenedFiles | null;
  /** Bytes of exports per organisation (EXPORTS_MAX_KEPT_BYTES). */
  readonly exportsMaxKeptBytes: number;
  /** Whether this installation fetches websites (FETCH_WEBSITES). */
  readonly fetchesWebsites: boolean;
  /** Address of the crawler (CRAWLER_EGRESS_IP); null: not fixed. */
  readonly crawlerEgressIp: string | null;
  /** Notes the use of a key; `at` in milliseconds since the epoch. */
  readonly keyUsed: (apiKeyId: string, at: number) => void;
  /** The same for a session of the console; null: there is no console, and a cookie opens nothing. */
  readonly sessionUsed: ((session: StoredApiKey, at: number) => void) | null;
  /** Seals what clients of OAuth carry. */
  readonly seal: InstallationSeal;
  /** Resolves when what was written can be read from ClickHouse, or after a while all the same: the log has it. */
  readonly waitForProjections: () => Promise<void>;
}

export interface AccountContext {
  readonly caller: Caller;
  /** Milliseconds since the epoch; the only clock of a run. */
  readonly now: number;
  readonly services: ApiServices;
}

export interface AccountWriteContext extends AccountContext {
  /** Data for the operation's command: the writer, and the Idempotency-Key. */
  readonly write: Write;
}

/** `website` is resolved once, before any work. */
export interface WebsiteContext extends AccountContext {
  readonly website: Website;
}

export interface WebsiteWriteContext extends WebsiteContext, AccountWriteContext {}

type Shape = z.ZodRawShape;
type Parameters = z.ZodObject<Shape>;

/** The required scope of the key: `read` (every key), or `read_write` (spec §5.3). */
export type Access = 'read' | 'read_write';

/** How an operation is called and answered. The constructors below set the defaults. */
interface Manner {
  readonly access: Access;
  /** The hourly limit that counts the call (spec §8). */
  readonly bucket: Bucket;
  /** At most one of each kind of body. */
  readonly replies: readonly Reply[];
}

/** Everything but the run. The run gets the parameters of path, query and body as one object. */
export interface OperationText {
  /** Unique, and a valid name in generated clients: getSummary. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** Markdown: the meaning of the figures. */
  readonly description: string;
  /** Below /public/v1, or below /public/v1/websites/{website_id}; further parameters as {name}. */
  readonly path: string;
  /** Path parameters besides website_id. */
  readonly pathParameters?: Parameters;
  readonly answer: z.ZodType;
  /** Plans with access (spec §5 rule 7, §8). Default: every plan with API access. `all`: also Free; `starter`: Starter and above. */
  readonly plans?: 'all' | 'starter';
  /** Reasons for a 404 (besides an unknown website), a 409 and a 503. */
  readonly missing?: string;
  readonly conflict?: string;
  /** The operation's own values of `code` in a 409. */
  readonly conflictCodes?: readonly string[];
  readonly unavailable?: string;
}

interface Reading extends OperationText, Manner {
  readonly method: 'get';
  /** hours, start, end … come from parameters.ts; routes.ts adds max_rows. */
  readonly query: Parameters;
}

interface Writing extends OperationText, Manner {
  readonly method: Exclude<Method, 'get'>;
  /** null: no body. */
  readonly body: Parameters | null;
  /** An absent body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** The operation creates something: a repeat with the same Idempotency-Key gets the first answer (control/idempotency.ts). */
  readonly creates?: boolean;
}

type Run<Context> = (input: never, context: Context) => Promise<unknown>;

export type WebsiteRead = Reading & {
  readonly kind: 'website';
  readonly run: Run<WebsiteContext>;
  readonly reuse?: (input: never, context: WebsiteContext) => Reuse | null;
};
export type WebsiteWrite = Writing & { readonly kind: 'website'; readonly run: Run<WebsiteWriteContext> };
export type AccountRead = Reading & { readonly kind: 'account'; readonly run: Run<AccountContext> };
export type AccountWrite = Writing & { readonly kind: 'account'; readonly run: Run<AccountWriteContext> };

export type Operation = WebsiteRead | WebsiteWrite | AccountRead | AccountWrite;
export type ReadOperation = WebsiteRead | AccountRead;
export type WriteOperation = WebsiteWrite | AccountWrite;

/**
 * Sent as POST, PUT, PATCH or DELETE, possibly with a body. The operation declares the required key and the limit: a report is sent
 * with a read key and is no write.
 */
export function isSent(operation: Operation): operation is WriteOperation {
  return operation.method !== 'get';
}

type NoParameters = z.ZodObject<Record<never, never>>;

/** The output of a schema. For a schema without fields, zod's type has every field as never. */
type OutputOf<Given extends Parameters> = string extends keyof z.output<Given> ? unknown : z.output<Given>;

/** An operation whose run is checked against its schemas. */
interface Typed<
  Given extends Parameters,
  Path extends Parameters,
  Answer extends z.ZodType,
  Context,
  Replies extends readonly Reply[],
> {
  readonly pathParameters?: Path;
  readonly answer: Answer;
  readonly replies?: Replies;
  run(
    input: OutputOf<Given> & OutputOf<Path>,
    context: Context,
  ): Promise<z.input<Answer> | ReplyMade<Replies[number]>>;
}

/** Results of a run besides JSON, as the operation declares them. */
type ReplyMade<Announced extends Reply> = Announced extends { body: 'redirect' } ? RedirectReply : never;

type Json = readonly [{ readonly body: 'json'; readonly status: 200 }];

type Rest<Text> = Omit<Text, 'pathParameters' | 'query' | 'body' | 'answer' | 'method' | keyof Manner> &
  Partial<Omit<Manner, 'replies'>>;

const json: Json = [{ body: 'json', status: 200 }];
const asRead = { access: 'read', bucket: 'requests', replies: json } as const satisfies Manner;
const asWrite = { access: 'read_write', bucket: 'writes', replies: json } as const satisfies Manner;

interface Asked<Query extends Parameters> {
  readonly query: Query;
}

interface Sent<Body extends Parameters> {
  readonly body: Body | null;
}

interface Reusable<Query extends Parameters, Path extends Parameters> {
  /**
   * Lets equal calls share one run, and lets the answer be cached (answer-cache/answer-cache.ts). Returns what the answer depends on
   * besides the website's data and the parameters; null: not for this call.
   */
  reuse?(input: OutputOf<Query> & OutputOf<Path>, context: WebsiteContext): Reuse | null;
}

/**
 * These constructors give the compiler the types of one operation and add its kind. By default a read needs any key, counts in
 * `requests` and answers 200 with JSON; a write needs a read_write key and counts in `writes`.
 */
export function websiteRead<
  Query extends Parameters,
  Answer extends z.ZodType,
  Path extends Parameters = NoParameters,
  const Replies extends readonly Reply[] = Json,
>(
  operation: Rest<Reading> &
    Asked<Query> &
    Typed<Query, Path, Answer, WebsiteContext, Replies> &
    Reusable<Query, Path>,
) {
  return { ...asRead, ...operation, kind: 'website', method: 'get' } as const;
}

export function accountRead<
  Query extends Parameters,
  Answer extends z.ZodType,
  const Replies extends readonly Reply[] = Json,
>(operation: Rest<Reading> & Asked<Query> & Typed<Query, NoParameters, Answer, AccountContext, Replies>) {
  return { ...asRead, ...operation, kind: 'account', method: 'get' } as const;
}

export function websiteWrite<
  Answer extends z.ZodType,
  Body extends Parameters = NoParameters,
  Path extends Parameters = NoParameters,
  const Replies extends readonly Reply[] = Json,
>(
  method: WebsiteWrite['method'],
  operation: Rest<Writing> & Sent<Body> & Typed<Body, Path, Answer, WebsiteWriteContext, Replies>,
) {
  return { ...asWrite, ...operation, kind: 'website', method } as const;
}

export function accountWrite<
  Answer extends z.ZodType,
  Body extends Parameters = NoParameters,
  const Replies extends readonly Reply[] = Json,
>(operation: Rest<Writing> & Sent<Body> & Typed<Body, NoParameters, Answer, AccountWriteContext, Replies>) {
  return { ...asWrite, ...operation, kind: 'account', method: 'post' } as const;
}

export type { Caller };
