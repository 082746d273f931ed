import type { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../shared/clickhouse/client.js';
import type { Website } from '../../shared/control/model.js';
import type { Scope } from '../../shared/queries/scope.js';
import type { PublicUrls } from '../../shared/service/public-urls.js';
import type { DetectedPlatform } from '../../shared/websites/detect-platform.js';
import type { SlowReads } from './answer-or-buffer.js';
import type { ApiControl, Caller } from './api-control.js';

/**
 * An operation is one value in one file: its route, its OpenAPI text, its checks and its contract test all come
 * from it. `operations/list.ts` names them all. Two kinds: a website operation works on one website that the key
 * may reach (the frame has already answered 401, 403, 404); an account operation works on the organisation.
 */

/** What a website operation gets: resolved once, before any work. */
export interface WebsiteContext<Services = ApiServices> {
  readonly caller: Caller;
  readonly website: Website;
  /** Milliseconds since the epoch; the only clock a run sees. */
  readonly now: number;
  readonly services: Services;
}

export interface AccountContext<Services = ApiServices> {
  readonly caller: Caller;
  /** Milliseconds since the epoch; the only clock a run sees. */
  readonly now: number;
  readonly services: Services;
}

/** What operations may use; made in open-api.ts. */
export interface ApiServices {
  readonly reader: ClickHouseReader;
  readonly control: ApiControl;
  readonly slowReads: SlowReads;
  /** Never rejects (shared/websites/detect-platform.ts). */
  readonly detectPlatform: (domain: string) => Promise<DetectedPlatform>;
  readonly urls: PublicUrls;
}

interface OperationText {
  /** Unique, fit for generated clients: getSummary. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** Markdown; what the numbers mean, the spec section. */
  readonly description: string;
}

type Shape = z.ZodRawShape;

export interface WebsiteOperation<
  Query extends z.ZodObject<Shape> = z.ZodObject<Shape>,
  Answer extends z.ZodType = z.ZodType,
> extends OperationText {
  readonly kind: 'website';
  readonly method: 'get';
  /** Below /public/v1/websites/{website_id}; further parameters as {name}. */
  readonly path: string;
  /** Query parameters (hours, start, end … come from parameters.ts); max_rows is added by the frame. Path parameters beyond website_id go into `pathParameters`. */
  readonly query: Query;
  readonly pathParameters?: z.ZodObject<Shape>;
  readonly answer: Answer;
  run(input: z.output<Query> & Record<string, unknown>, context: WebsiteContext): Promise<z.input<Answer>>;
}

export interface AccountOperation<
  Input extends z.ZodObject<Shape> = z.ZodObject<Shape>,
  Answer extends z.ZodType = z.ZodType,
> extends OperationText {
  readonly kind: 'account';
  /** `get` reads with any key and takes its input from the query; `post` needs a read_write key and takes a JSON body. */
  readonly method: 'get' | 'post';
  /** Below /public/v1. */
  readonly path: string;
  readonly input: Input;
  readonly answer: Answer;
  /** Why a well-formed write may be answered 409, for the description. */
  readonly conflict?: string;
  run(input: z.output<Input>, context: AccountContext): Promise<z.input<Answer>>;
}

export type Operation = WebsiteOperation | AccountOperation;

/** Gives the compiler the types of one operation; returns it unchanged. */
export function websiteRead<Query extends z.ZodObject<Shape>, Answer extends z.ZodType>(
  operation: Omit<WebsiteOperation<Query, Answer>, 'kind' | 'method'>,
): WebsiteOperation<Query, Answer> {
  return { ...operation, kind: 'website', method: 'get' };
}

export function accountRead<Input extends z.ZodObject<Shape>, Answer extends z.ZodType>(
  operation: Omit<AccountOperation<Input, Answer>, 'kind' | 'method' | 'conflict'>,
): AccountOperation<Input, Answer> {
  return { ...operation, kind: 'account', method: 'get' };
}

export function accountWrite<Input extends z.ZodObject<Shape>, Answer extends z.ZodType>(
  operation: Omit<AccountOperation<Input, Answer>, 'kind' | 'method'>,
): AccountOperation<Input, Answer> {
  return { ...operation, kind: 'account', method: 'post' };
}

export type { Caller, Scope };
