import { z } from 'zod';
import {
  CONNECTION_IDLE_MS,
  connectionIdOf,
  familyOf,
  findByAnyToken,
  findByRefreshToken,
  hasEnded,
  MOST_TOKENS,
  mayRefresh,
  type NewTokens,
  newFamily,
  newTokens,
  nextTokensAt,
  tokensAfter,
} from '../domain/client-tokens.js';
import { type Acceptance, commandKind, type Refusal, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import { digestOf } from '../domain/keys.js';
import { apiKeyScopes, type StoredApiKey } from '../domain/model.js';
import { SHOWN_AFTER_END_MS } from '../domain/sessions.js';
import { type ControlState, versionOf } from '../domain/state.js';
import { apiKeyRevoked, forgetEnded } from './api-key.js';
import { displayName } from './organisation.js';
import { refuseClientConnection } from './organisation-room.js';

/** A client of `/mcp` that a person connected: an API key of its own kind, with tokens that change. */

const clientTokens = z.object({
  clientDigest: z.string(),
  access: z.array(z.object({ digest: z.string(), expiresAt: z.string() })).readonly(),
  refresh: z.array(z.string()).readonly(),
  used: z.object({ digest: z.string(), at: z.string() }).nullable(),
});

export const clientConnected = eventKind({
  aggregate: 'api_key',
  type: 'api_key.connected',
  schema: z.object({
    organisationId: z.string(),
    userId: z.string().nullable(),
    name: z.string(),
    scope: z.enum(apiKeyScopes),
    expiresAt: z.string(),
    digest: z.string(),
    last4: z.string(),
    tokens: clientTokens,
  }),
  evolve(state, id, data, at) {
    forgetEnded(state, data.organisationId, Date.parse(at) - SHOWN_AFTER_END_MS);
    state.apiKeys.put({ id, kind: 'connection', ...data, createdAt: at, revokedAt: null, seenAt: null });
  },
});

export const clientRefreshed = eventKind({
  aggregate: 'api_key',
  type: 'api_key.refreshed',
  schema: z.object({ expiresAt: z.string(), tokens: clientTokens }),
  evolve(state, id, data) {
    const connection = state.apiKeys.get(id);
    if (connection !== undefined) state.apiKeys.put({ ...connection, ...data });
  },
});

/** `reused`: a code or token was used twice, so somebody else may have it. The connection has ended. */
export type Exchange =
  | (NewTokens & { readonly reused: false; readonly connection: StoredApiKey })
  | { readonly reused: true };

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** An authorisation code becomes a connection once: the id of the code is the connection's. */
export const redeemCode = commandKind({
  schema: z.strictObject({
    codeId: z.string().regex(/^[0-9a-f]{24}$/),
    clientDigest: digest,
    name: displayName,
    scope: z.enum(apiKeyScopes),
    /** Session of the person who allowed it. */
    sessionId: z.string(),
  }),
  decide(state, { codeId, clientDigest, name, scope, sessionId }, { now, generated }) {
    const id = connectionIdOf(codeId);
    const made = state.apiKeys.get(id);
    if (made !== undefined) return endReused(state, made);
    if (versionOf(state, 'api_key', id) > 0) return ended();
    const session = state.apiKeys.get(sessionId);
    if (session?.kind !== 'session' || session.revokedAt !== null) return ended();
    if (scope === 'read_write' && session.scope !== 'read_write') return ended();
    const { organisationId, userId } = session;
    const full = refuseClientConnection(state, session);
    if (full !== null) return full;

    const family = newFamily(generated.secret);
    const tokens = newTokens(id, generated.secret, family);
    const event = nextEvent(state, clientConnected, id, {
      ...{ organisationId, userId, name, scope },
      expiresAt: new Date(now + CONNECTION_IDLE_MS).toISOString(),
      digest: digestOf(family),
      last4: id.slice(-4),
      tokens: tokensAfter(clientDigest, tokens, now, null),
    });
    return {
      events: [event],
      answer: (after): Exchange => ({ reused: false, ...tokens, connection: after.apiKeys.get(id)! }),
    };
  },
});

/** Exchanges a refresh token, once. */
export const refreshConnection = commandKind({
  schema: z.strictObject({ refreshToken: z.string(), clientDigest: digest }),
  decide(state, { refreshToken, clientDigest }, { now, generated }) {
    const connection = findByRefreshToken(state, refreshToken);
    if (connection === null || hasEnded(connection, now)) return ended();
    const { id } = connection;
    const held = connection.tokens!;
    if (held.clientDigest !== clientDigest) return ended();
    if (!mayRefresh(held, refreshToken, now)) return endReused(state, connection);
    const next = nextTokensAt(held, now);
    if (next !== null) return tooOften(next);

    const tokens = newTokens(id, generated.secret, familyOf(refreshToken)!);
    const event = nextEvent(state, clientRefreshed, id, {
      expiresAt: new Date(now + CONNECTION_IDLE_MS).toISOString(),
      tokens: tokensAfter(clientDigest, tokens, now, { tokens: held, used: refreshToken }),
    });
    return {
      events: [event],
      answer: (state): Exchange => ({ reused: false, ...tokens, connection: state.apiKeys.get(id)! }),
    };
  },
});

/** Ends the connection of a token. A token that is unknown, or of another client, is no error (RFC 7009). */
export const revokeToken = commandKind({
  schema: z.strictObject({ token: z.string(), clientDigest: digest }),
  decide(state, { token, clientDigest }) {
    const connection = findByAnyToken(state, token);
    const isOurs = connection?.tokens?.clientDigest === clientDigest && connection.revokedAt === null;
    return {
      events: isOurs ? [nextEvent(state, apiKeyRevoked, connection.id, {})] : [],
      answer: (): { apiKeyId: string | null } => ({ apiKeyId: connection?.id ?? null }),
    };
  },
});

function endReused(state: ControlState, { id, revokedAt }: StoredApiKey): Acceptance<Exchange> {
  return {
    events: revokedAt === null ? [nextEvent(state, apiKeyRevoked, id, {})] : [],
    answer: () => ({ reused: true }),
  };
}

function tooOften(next: number): { readonly refusal: Refusal } {
  const resetAt = new Date(next).toISOString();
  const detail = `A connection gets at most ${MOST_TOKENS} tokens in ten minutes; the next at ${resetAt}.`;
  return { refusal: { code: 'rate_limited', detail, limit: MOST_TOKENS, resetAt } };
}

/** One text for all causes: it does not say whether such a code or token once existed. */
function ended(): { readonly refusal: Refusal } {
  return refuse(
    'not_found',
    'The code or token is unknown, was used, revoked or has expired.',
    'grant_ended',
  );
}
