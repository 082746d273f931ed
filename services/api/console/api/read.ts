import { type Answer, accountPaths, type ReadId, websitePaths } from './operations.js';

/** Parameters of a call by name; empty ones are left out. */
export type Parameters = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** How a call ended. `ignored` names parameters that the operation has no use for. */
export type Outcome<Value> =
  | { readonly kind: 'answer'; readonly value: Value; readonly ignored: readonly string[] }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number; readonly detail: string }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly detail: string }
  | { readonly kind: 'unreachable' };

const DEFAULT_RETRY_SECONDS = 30;
/** The server takes a write with the session's cookie only from a page of this host. */
const OF_PAGE = { 'X-Loglane-Console': '1', 'Content-Type': 'application/json' };

/** The path and query of a call below the console's base, for links and copied commands. */
export function callPath(id: ReadId, website: string | null, parameters: Parameters): string {
  const given = new Map(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined || value === null || value === '' ? [] : [[name, String(value)] as const],
    ),
  );
  const template = (
    id in accountPaths
      ? accountPaths[id as keyof typeof accountPaths]
      : `/websites/${encodeURIComponent(website ?? '')}${websitePaths[id as keyof typeof websitePaths]}`
  ) as string;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.get(name) ?? '';
    given.delete(name);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams([...given]).toString();
  return `public/v1${path}${query === '' ? '' : `?${query}`}`;
}

/** Calls a read with the session's cookie. Never rejects but with an AbortError. */
export async function callRead<Id extends ReadId>(
  id: Id,
  website: string | null,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<Outcome<Answer<Id>>> {
  return send(callPath(id, website, parameters), { signal });
}

/** Calls a write with the session's cookie. @param path of the public API: `/websites`; or of the console's own: `console/…`. */
export function callWrite<Value>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body: unknown = null,
): Promise<Outcome<Value>> {
  return send(path.startsWith('/') ? `public/v1${path}` : path, {
    method,
    headers: OF_PAGE,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
}

/** Calls a path of the console's own, which is not part of the public API: with a body by POST. Never rejects. */
export function callConsole<Value>(path: string, body: object | null = null): Promise<Outcome<Value>> {
  return send(path, body === null ? {} : { method: 'POST', headers: OF_PAGE, body: JSON.stringify(body) });
}

const sessionEnds = new Set<() => void>();

/** Calls back when the server refuses a call for its session. @returns how to stop. */
export function onSessionEnd(callback: () => void): () => void {
  sessionEnds.add(callback);
  return () => sessionEnds.delete(callback);
}

async function send<Value>(path: string, init: RequestInit): Promise<Outcome<Value>> {
  let response: Response;
  try {
    response = await fetch(new URL(path, document.baseURI), { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    return { kind: 'unreachable' };
  }
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (response.ok && body !== null)
    return {
      kind: 'answer',
      value: body as Value,
      ignored: namesOf(response.headers.get('X-Ignored-Parameters')),
    };
  const detail = typeof body?.detail === 'string' ? body.detail : `HTTP ${response.status}`;
  if (response.status === 401) {
    for (const callback of [...sessionEnds]) callback();
    return { kind: 'signed-out' };
  }
  if (response.status === 429)
    return {
      kind: 'limited',
      retryAfterSeconds: Number(response.headers.get('Retry-After') ?? DEFAULT_RETRY_SECONDS),
      detail,
    };
  const code = typeof body?.code === 'string' ? body.code : '';
  return { kind: 'refused', status: response.status, code, detail };
}

function namesOf(header: string | null): string[] {
  return header === null ? [] : header.split(',').map((name) => name.trim());
}
