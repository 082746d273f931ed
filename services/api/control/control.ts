import { claimIdempotencyKey } from '../../../shared/control/aggregates/idempotency.js';
import { findSegment } from '../../../shared/control/aggregates/segment.js';
import { automaticSiteEvent } from '../../../shared/control/aggregates/site-event.js';
import type { ControlPlane, ExtraEvents } from '../../../shared/control/control-plane.js';
import type { AnswerTo, Command, CommandName } from '../../../shared/control/decide/commands.js';
import type { Refusal } from '../../../shared/control/domain/command.js';
import { findApiKey } from '../../../shared/control/domain/keys.js';
import type { Organisation, StoredApiKey, Website } from '../../../shared/control/domain/model.js';
import { planOf } from '../../../shared/control/domain/plans.js';
import { findSession } from '../../../shared/control/domain/sessions.js';
import type { ControlState } from '../../../shared/control/domain/state.js';
import { PublicError } from '../../../shared/errors.js';
import type { Caller, Write } from './api-control.js';
import { findIdempotencyRecord, keyInUse } from './idempotency.js';

/** What the API asks of the control plane: from memory where it reads, one command where it writes. */
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
     * Carries a command out; it can be read back when this resolves. What it changes is recorded as a site event that
     * names the key (spec §6), in the same decision.
     * @param title of the site event: what was done, as a sentence for people; null: none, for what is a site event itself.
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
        // Refused because of what the first request with the same key has just done.
        const { idempotency } = write;
        const concurrentRequest =
          idempotency && findIdempotencyRecord(controlPlane.state(), idempotency.id, now());
        throw concurrentRequest ? keyInUse() : toPublicError(outcome.refusal, now());
      }
      return outcome.answer as AnswerTo<Name>;
    },

    /** For what no caller asked for. @throws PublicError the refusal. @throws LogUnavailableError */
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

/** How people tell keys apart: by name, and where names repeat by the last characters. */
export function nameOfKey({ name, last4 }: Pick<StoredApiKey, 'name' | 'last4'>): string {
  return `${name} (…${last4})`;
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
