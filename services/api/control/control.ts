import { claimIdempotencyKey } from '../../../shared/control/aggregates/idempotency.js';
import { findSegment } from '../../../shared/control/aggregates/segment.js';
import { automaticSiteEvent } from '../../../shared/control/aggregates/site-event.js';
import type { ControlPlane, ExtraEvents } from '../../../shared/control/control-plane.js';
import type { AnswerTo, Command, CommandName } from '../../../shared/control/decide/commands.js';
import { findConnection } from '../../../shared/control/domain/client-tokens.js';
import type { Refusal } from '../../../shared/control/domain/command.js';
import { findApiKey } from '../../../shared/control/domain/keys.js';
import type { Organisation, StoredApiKey, Website } from '../../../shared/control/domain/model.js';
import { planOf } from '../../../shared/control/domain/plans.js';
import { findSession } from '../../../shared/control/domain/sessions.js';
import type { ControlState } from '../../../shared/control/domain/state.js';
import { PublicError } from '../../../shared/errors.js';
import type { Caller, Write } from './api-control.js';
import { findIdempotencyRecord, keyInUse } from './idempotency.js';
import { doneBy, nameOfKey } from './name-of-actor.js';

/** The API's access to the control plane: reads from memory, and one command for each write. */
export type ApiControl = ReturnType<typeof apiControl>;

/**
 * Each call reads the current state, since the state changes all the time.
 * @param now milliseconds since the epoch.
 */
export function apiControl(controlPlane: ControlPlane, now: () => number) {
  return {
    /** Whose key this is; null for a key that is unknown, revoked, expired at `now`, or no API key at all. */
    authenticate(clearKey: string, now: number): Caller | null {
      const state = controlPlane.state();
      return callerWith(state, findApiKey(state, clearKey, now));
    },

    /** As `authenticate`, for the token of a console session, which is null where it was idle too. */
    authenticateSession(token: string, now: number): Caller | null {
      const state = controlPlane.state();
      return callerWith(state, findSession(state, token, now));
    },

    /** As `authenticate`, for the access token of a client that a person connected. */
    authenticateConnection(token: string, now: number): Caller | null {
      const state = controlPlane.state();
      return callerWith(state, findConnection(state, token, now));
    },

    /** Null for an unknown website and for another organisation's alike. */
    website(organisationId: string, websiteId: string): Website | null {
      const website = controlPlane.state().websites.get(websiteId);
      return website?.organisationId === organisationId ? website : null;
    },

    /** Null for an unknown segment and for another website's alike. */
    segment: (websiteId: string, segmentId: string) =>
      findSegment(controlPlane.state(), websiteId, segmentId) ?? null,

    /** As of now: a trial may have begun or ended since the last call. */
    plan: (organisation: Organisation) => planOf(organisation, now()),

    state: () => controlPlane.state(),

    /**
     * Executes a command. Its changes can be read when the promise resolves. The same decision records a site event that
     * names the key (spec §6).
     * @param title title of the site event, a sentence for people; null if the command itself records a site event.
     * @throws PublicError the refusal. @throws LogUnavailableError
     */
    async execute<Name extends CommandName>(
      command: Command<Name>,
      write: Write,
      title: string | null,
    ): Promise<AnswerTo<Name>> {
      const outcome = await controlPlane.execute(
        command,
        `api_key:${write.caller.apiKey.id}`,
        extraEventsOf(write, title),
      );
      if ('refusal' in outcome) {
        // The first request with the same key may have caused the refusal.
        const { idempotency } = write;
        const concurrentRequest =
          idempotency && findIdempotencyRecord(controlPlane.state(), idempotency.id, now());
        throw concurrentRequest ? keyInUse() : toPublicError(outcome.refusal, now());
      }
      return outcome.answer as AnswerTo<Name>;
    },

    /** For commands of the system, without a caller. @throws PublicError the refusal. @throws LogUnavailableError */
    async executeAsSystem<Name extends CommandName>(command: Command<Name>): Promise<AnswerTo<Name>> {
      const outcome = await controlPlane.execute(command, 'system');
      if ('refusal' in outcome) throw toPublicError(outcome.refusal, now());
      return outcome.answer as AnswerTo<Name>;
    },
  };
}

function callerWith(state: ControlState, apiKey: StoredApiKey | null): Caller | null {
  const organisation = apiKey === null ? undefined : state.organisations.get(apiKey.organisationId);
  return apiKey === null || organisation === undefined ? null : { organisation, apiKey };
}

/** The site event that names the key (spec §6), and the claim on the caller's Idempotency-Key. */
function extraEventsOf({ caller, websiteId, idempotency }: Write, title: string | null): ExtraEvents {
  return (state, { events, now, generated }) => {
    const recorded =
      title === null
        ? []
        : [
            automaticSiteEvent(
              generated.id,
              {
                organisationId: caller.organisation.id,
                websiteId:
                  websiteId ?? events.find(({ type }) => type === 'website.added')?.aggregateId ?? null,
                title,
                createdBy: nameOfKey(caller.apiKey),
                description: doneBy(state, caller.apiKey),
              },
              now,
            ),
          ];
    if (idempotency === null) return recorded;
    if (findIdempotencyRecord(state, idempotency.id, now) !== null) throw keyInUse();
    const claim = {
      organisationId: caller.organisation.id,
      requestDigest: idempotency.requestDigest,
    };
    return [...recorded, claimIdempotencyKey(state, idempotency.id, claim)];
  };
}

function toPublicError({ code, detail, reason, limit, resetAt }: Refusal, at: number): PublicError {
  return new PublicError(code, detail, {
    ...(resetAt === undefined
      ? {}
      : { retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(resetAt) - at) / 1_000)) }),
    fields: {
      ...(reason === undefined ? {} : { code: reason }),
      ...(limit === undefined ? {} : { limit, reset_at: resetAt }),
    },
  });
}
