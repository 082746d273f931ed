/** A client of the API without dependencies. The build of the package binds `Paths` to the types that are generated from the document. */

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Templates of the paths that have the method. */
type PathsOf<Paths, M extends Method> = {
  [P in keyof Paths]: Paths[P] extends { readonly [m in M]: { responses: unknown } } ? P : never;
}[keyof Paths] &
  string;

type OperationAt<Paths, P extends keyof Paths, M extends Method> = Paths[P] extends {
  readonly [m in M]: infer O;
}
  ? O
  : never;

/** `unknown` if the operation has none: the generated type is then `never`. */
type PartOf<O, In extends 'path' | 'query'> = O extends { parameters: { [i in In]?: infer V } }
  ? [NonNullable<V>] extends [never]
    ? unknown
    : NonNullable<V>
  : unknown;

/** Parameters of the path and of the query, in one object. */
export type ParametersOf<O> = PartOf<O, 'path'> & PartOf<O, 'query'>;

export type BodyOf<O> = O extends { requestBody?: infer R }
  ? NonNullable<R> extends { content: { 'application/json': infer B } }
    ? B
    : undefined
  : undefined;

type Success = 200 | 201 | 202 | 203 | 204;

/** The JSON of a successful answer. */
export type AnswerOf<O> = O extends { responses: infer R }
  ? {
      [S in keyof R & Success]: R[S] extends { content: { 'application/json': infer J } } ? J : undefined;
    }[keyof R & Success]
  : never;

export interface ClientOptions {
  /** Address of the instance, without `/public/v1`. */
  readonly url: string;
  readonly key: string;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response> | Response;
  /** 60,000, if it is not given. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

type Reading<Paths, M extends Method> = <P extends PathsOf<Paths, M>>(
  path: P,
  ...rest: Record<never, never> extends ParametersOf<OperationAt<Paths, P, M>>
    ? [parameters?: ParametersOf<OperationAt<Paths, P, M>>, options?: CallOptions]
    : [parameters: ParametersOf<OperationAt<Paths, P, M>>, options?: CallOptions]
) => Promise<AnswerOf<OperationAt<Paths, P, M>>>;

type Writing<Paths, M extends Method> = <P extends PathsOf<Paths, M>>(
  path: P,
  parameters: ParametersOf<OperationAt<Paths, P, M>>,
  body: BodyOf<OperationAt<Paths, P, M>>,
  options?: CallOptions,
) => Promise<AnswerOf<OperationAt<Paths, P, M>>>;

export interface Client<Paths> {
  readonly get: Reading<Paths, 'get'>;
  readonly delete: Reading<Paths, 'delete'>;
  readonly post: Writing<Paths, 'post'>;
  readonly put: Writing<Paths, 'put'>;
  readonly patch: Writing<Paths, 'patch'>;
}

/** An answer that is no success. */
export class ApiError extends Error {
  readonly status: number;
  /** The answer's JSON, or its text if it is no JSON. */
  readonly body: unknown;
  readonly headers: Headers;
  constructor(status: number, body: unknown, headers: Headers) {
    super(`the API answered ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

const TIMEOUT_MS = 60_000;

/** Puts the parameters into the {names} of the path, and the others into the query. A list is repeated. */
function addressOf(base: string, path: string, parameters: Record<string, unknown>): string {
  const rest = new Map(Object.entries(parameters));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    if (value === undefined || value === null || value === '')
      throw new TypeError(`the parameter ${name} is missing`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of rest)
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) query.append(name, String(one));
  return `${base.replace(/\/$/, '')}${filled}${query.size === 0 ? '' : `?${query}`}`;
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function createClient<Paths>(options: ClientOptions): Client<Paths> {
  const send = options.fetch ?? fetch;
  async function call(
    method: Method,
    path: string,
    parameters = {},
    body?: unknown,
    given: CallOptions = {},
  ) {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    const answer = await send(addressOf(options.url, path, parameters), {
      method: method.toUpperCase(),
      headers: {
        ...given.headers,
        authorization: `Bearer ${options.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: given.signal === undefined ? timeout : AbortSignal.any([given.signal, timeout]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const value = parsed(await answer.text());
    if (!answer.ok) throw new ApiError(answer.status, value, answer.headers);
    return value;
  }
  const reading = (method: Method) => (path: string, parameters?: object, given?: CallOptions) =>
    call(method, path, parameters, undefined, given);
  const writing =
    (method: Method) => (path: string, parameters: object, body: unknown, given?: CallOptions) =>
      call(method, path, parameters, body, given);
  return {
    get: reading('get'),
    delete: reading('delete'),
    post: writing('post'),
    put: writing('put'),
    patch: writing('patch'),
  } as Client<Paths>;
}
