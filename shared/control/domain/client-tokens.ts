import { createHmac, timingSafeEqual } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../durations.js';
import { digestOf } from './keys.js';
import type { ClientTokens, StoredApiKey } from './model.js';
import type { ControlState } from './state.js';

/**
 * Tokens of the clients that people connect to `/mcp` (docs/mcp-sign-in.md). An access token names its connection and
 * has a secret. A refresh token has the connection's own secret, which never changes, and one of its own. So a used
 * token is recognised later without a list of all used ones, and nobody else can pretend to use one.
 */

export const ACCESS_TOKEN_MS = HOUR_MS;
/** A connection ends after this time without a refresh. */
export const CONNECTION_IDLE_MS = 30 * DAY_MS;
/** A client whose answer was lost may repeat its refresh for so long. */
export const REPEAT_MS = 10 * SECOND_MS;
/**
 * A connection gets at most so many pairs in ten minutes, since each is a record of the control log. Later pairs end the
 * oldest access token. A few processes may share a client.
 */
export const MOST_TOKENS = 6;
const TOKENS_IN_MS = 10 * MINUTE_MS;

export const ACCESS_PREFIX = 'llmcp_';
const ID = /^[0-9a-f]{24}$/;
const ACCESS = /^llmcp_([0-9a-f]{24})_[\w-]{43}$/;
const REFRESH = /^llrefresh_([\w-]{43})[\w-]{43}$/;

/** The id of the connection that a code with this id becomes. */
export function connectionIdOf(codeId: string): string {
  if (!ID.test(codeId)) throw new Error('a code has an id of 24 hexadecimal digits');
  return `key_${codeId}`;
}

export interface NewTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** @param secret 32 random bytes in base64url, new for each pair; @param family the connection's own secret. */
export function newTokens(connectionId: string, secret: string, family: string): NewTokens {
  return {
    accessToken: `${ACCESS_PREFIX}${connectionId.slice('key_'.length)}_${derive(secret, 'access')}`,
    refreshToken: `llrefresh_${family}${derive(secret, 'refresh')}`,
  };
}

/** The secret of a connection that is made with this one. */
export function newFamily(secret: string): string {
  return derive(secret, 'family');
}

function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(`connection ${purpose}`).digest('base64url');
}

/** The connection's own secret in a refresh token; null: it is none. */
export function familyOf(refreshToken: string): string | null {
  return REFRESH.exec(refreshToken)?.[1] ?? null;
}

/** The connection of this access token; null if it is unknown, revoked or expired. @param now milliseconds since the epoch. */
export function findConnection(state: ControlState, accessToken: string, now: number): StoredApiKey | null {
  const connection = connectionNamedBy(state, accessToken);
  if (connection === null || hasEnded(connection, now)) return null;
  const digest = digestOf(accessToken);
  const found = connection.tokens!.access.find((each) => isSame(each.digest, digest));
  return found === undefined || Date.parse(found.expiresAt) <= now ? null : connection;
}

/** The connection of this refresh token, used or not; null: there is none. */
export function findByRefreshToken(state: ControlState, refreshToken: string): StoredApiKey | null {
  const family = familyOf(refreshToken);
  const [found] = family === null ? [] : state.apiKeys.by('digest', digestOf(family));
  return found?.kind === 'connection' ? found : null;
}

/** As {@link findConnection}, but also for a token that has expired. */
export function findByAnyToken(state: ControlState, token: string): StoredApiKey | null {
  const named = connectionNamedBy(state, token);
  if (named === null) return findByRefreshToken(state, token);
  const digest = digestOf(token);
  return named.tokens!.access.some((each) => isSame(each.digest, digest)) ? named : null;
}

function connectionNamedBy(state: ControlState, accessToken: string): StoredApiKey | null {
  const id = ACCESS.exec(accessToken)?.[1];
  const named = id === undefined ? undefined : state.apiKeys.get(`key_${id}`);
  return named?.kind === 'connection' ? named : null;
}

export function hasEnded({ revokedAt, expiresAt }: StoredApiKey, now: number): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now);
}

/** Whether this refresh token may be exchanged: it is new, or it is the one that was used a moment ago. */
export function mayRefresh({ refresh, used }: ClientTokens, refreshToken: string, now: number): boolean {
  const digest = digestOf(refreshToken);
  if (refresh.some((each) => isSame(each, digest))) return true;
  return used !== null && isSame(used.digest, digest) && now - Date.parse(used.at) < REPEAT_MS;
}

/** When the connection may get tokens again, in milliseconds since the epoch; null: now. */
export function nextTokensAt({ access }: ClientTokens, now: number): number | null {
  const [oldest] = access;
  if (oldest === undefined || access.length < MOST_TOKENS) return null;
  const at = Date.parse(oldest.expiresAt) - ACCESS_TOKEN_MS + TOKENS_IN_MS;
  return at > now ? at : null;
}

/** The tokens of a connection after `used` was exchanged for `made`; null: the connection is new. */
export function tokensAfter(
  clientDigest: string,
  made: NewTokens,
  now: number,
  exchange: { readonly tokens: ClientTokens; readonly used: string } | null,
): ClientTokens {
  const access = {
    digest: digestOf(made.accessToken),
    expiresAt: new Date(now + ACCESS_TOKEN_MS).toISOString(),
  };
  const refresh = digestOf(made.refreshToken);
  if (exchange === null) return { clientDigest, access: [access], refresh: [refresh], used: null };
  const { tokens } = exchange;
  const digest = digestOf(exchange.used);
  const isRepeat = !tokens.refresh.includes(digest);
  const live = tokens.access.filter(({ expiresAt }) => Date.parse(expiresAt) > now);
  return {
    clientDigest,
    access: [...live, access].slice(-MOST_TOKENS),
    // Both answers may have arrived: the first of their tokens that is used ends the others.
    refresh: isRepeat ? [...tokens.refresh, refresh] : [refresh],
    used: isRepeat ? tokens.used : { digest, at: new Date(now).toISOString() },
  };
}

/** In constant time: both are digests. */
function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
