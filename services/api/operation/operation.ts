import type { z } from '@hono/zod-openapi';
import type { StoredApiKey, Website } from '../../../shared/control/domain/model.js';
import type { PaymentProcessor } from '../../../shared/control/domain/payment-processor.js';
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
 * An operation is one value in one file: its route, its OpenAPI text, its checks and its contract test all come
 * from it. `operations/all-operations.ts` names them all. Two kinds: a website operation works on one website that the key
 * may reach (`app.ts` has already answered 401, 403, 404); an account operation works on the organisation.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What operations may use; made in open-api.ts. */
export interface ApiServices {
  readonly reader: ClickHouseReader;
  readonly control: ApiControl;
  readonly slowReads: SlowReads;
  /** Of calls, which `app.ts` counts, and of uploads, which ingest counts. */
  readonly usage: UsageCounter;
  /** How uploads ended, as ingest tells it. */
  readonly uploads: KnownUploads;
  /** Which websites have lines that are accepted and not stored. */
  readonly pendingUploads: PendingUploads;
  /** Never rejects (shared/platforms/detect-platform.ts). */
  readonly detectPlatform: (domain: string) => Promise<DetectedPlatform>;
  readonly urls: PublicUrls;
  /** null: this installation takes no money. */
  readonly payments: PaymentProcessor | null;
  /** Where the payment processor sends customers back to. */
  readonly billingReturnUrl: string;
  /** A crawler's name as reads show it, from whatever case; null for one that the table lacks (shared/crawlers/canonical-name.ts). */
  readonly crawlerName: (name: string) => string | null;
  /** The family that alerts of a bot have as their subject (shared/crawlers/canonical-name.ts). */
  readonly crawlerFamily: (name: string) => string;
  /** Whether requests that claim this name claim to be of a search engine's crawler. */
  readonly isSearchCrawler: (name: string) => boolean;
  /** Whom else one meets who blocks an address (shared/crawlers/shared-networks.ts). */
  readonly sharedNetworkOf: SharedNetworkOf;
  /** How old the lists are that claims of crawlers are judged by. */
  readonly crawlerListsAge: () => TableAge;
  /** What visits that AI assistants sent are told by. */
  readonly aiDetection: AiDetection;
  /** Where exports lie; null: this installation stores no files. */
  readonly files: OpenedFiles | null;
  /** Bytes of exports that an organisation may keep (EXPORTS_MAX_KEPT_BYTES). */
  readonly exportsMaxKeptBytes: number;
  /** Whether this installation fetches anything from websites (FETCH_WEBSITES). */
  readonly fetchesWebsites: boolean;
  /** Address that the crawler comes from (CRAWLER_EGRESS_IP); null: no fixed one. */
  readonly crawlerEgressIp: string | null;
  /** Notes that a key opened the API; `at` in milliseconds since the epoch. */
  readonly keyUsed: (apiKeyId: string, at: number) => void;
  /** The same for a session of the console; null: there is no console, and a cookie opens nothing. */
  readonly sessionUsed: ((session: StoredApiKey, at: number) => void) | null;
  /** Resolves when what was written can be read from ClickHouse, or after a while all the same: the log has it. */
  readonly waitForProjections: () => Promise<void>;
}

export interface AccountContext {
  readonly caller: Caller;
  /** Milliseconds since the epoch; the only clock a run sees. */
  readonly now: number;
  readonly services: ApiServices;
}

export interface AccountWriteContext extends AccountContext {
  /** What goes with the operation's command: who writes, and what has to be kept of it. */
  readonly write: Write;
}

/** `website` is resolved once, before any work. */
export interface WebsiteContext extends AccountContext {
  readonly website: Website;
}

export interface WebsiteWriteContext extends WebsiteContext, AccountWriteContext {}

type Shape = z.ZodRawShape;
type Parameters = z.ZodObject<Shape>;

/** The scope that a key needs: `read` (every key), or `read_write` (spec §5.3). */
export type Access = 'read' | 'read_write';

/** What an operation says of the way it is called and answered. The constructors below fill in the usual. */
interface Manner {
  readonly access: Access;
  /** The hourly limit that a call counts in (spec §8). */
  readonly bucket: Bucket;
  /** At most one of each kind of body. */
  readonly replies: readonly Reply[];
}

/** Everything but the run; parameters of path, query and body reach it as one object. */
export interface OperationText {
  /** Unique, fit for generated clients: getSummary. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** Markdown; what the numbers mean, the spec section. */
  readonly description: string;
  /** Below /public/v1, or below /public/v1/websites/{website_id}; further parameters as {name}. */
  readonly path: string;
  /** Those of the path beyond website_id. */
  readonly pathParameters?: Parameters;
  readonly answer: z.ZodType;
  /** Whom the plan lets in (spec §5 rule 7, §8). Default: every plan with API access. `all`: Free too; `starter`: Starter and above. */
  readonly plans?: 'all' | 'starter';
  /** Why a well-formed call may be answered 404 beyond an unknown website, 409 and 503. */
  readonly missing?: string;
  readonly conflict?: string;
  /** The values of `code` in a 409, where the operation has any of its own. */
  readonly conflictCodes?: readonly string[];
  readonly unavailable?: string;
}

interface Reading extends OperationText, Manner {
  readonly method: 'get';
  /** hours, start, end … come from parameters.ts; max_rows is added by `app.ts`. */
  readonly query: Parameters;
}

interface Writing extends OperationText, Manner {
  readonly method: Exclude<Method, 'get'>;
  /** null: the operation takes none. */
  readonly body: Parameters | null;
  /** An absent body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** It creates something: a repeat with the same Idempotency-Key gets the first answer (control/idempotency.ts). */
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
 * It is sent, as POST, PUT, PATCH or DELETE, and may have a body. The operation says which key it needs and which limit it counts in:
 * a report is sent with a read key and is no write.
 */
export function isSent(operation: Operation): operation is WriteOperation {
  return operation.method !== 'get';
}

type NoParameters = z.ZodObject<Record<never, never>>;

/** What a schema gives; of one without fields zod says that it has all, each of them never. */
type OutputOf<Given extends Parameters> = string extends keyof z.output<Given> ? unknown : z.output<Given>;

/** How an operation is written down: a run that is held to its schemas. */
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

/** What a run may return beside JSON: what the operation announces. */
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
   * Lets equal calls share one run and its answer be kept (answer-cache/answer-cache.ts). Says what the answer rests on beside the
   * website's data and the parameters, which count anyway; null: not this call.
   */
  reuse?(input: OutputOf<Query> & OutputOf<Path>, context: WebsiteContext): Reuse | null;
}

/**
 * These give the compiler the types of one operation, and return it with its kind. A read needs any key, counts in
 * `requests` and answers 200 with JSON; a write needs a read_write key and counts in `writes`. An operation that differs says so.
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
