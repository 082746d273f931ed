import { z } from 'zod';
import { HOUR_MS } from '../../durations.js';
import { commandKind } from '../domain/command.js';
import { type ControlEvent, eventKind, nextEvent } from '../domain/event.js';
import type { ControlState, WritableState } from '../domain/state.js';
import { aggregateKey } from '../domain/state.js';

/**
 * Requests that were carried out under an Idempotency-Key. The claim is part of the decision that the request led to, so
 * that the same key never leads to a second one, whichever replica it reaches. The answer follows when it is known.
 */

export const IDEMPOTENCY_HOURS = 24;

const KEY = 'idempotency_key';

export const idempotencyKeyClaimed = eventKind({
  aggregate: KEY,
  type: 'idempotency_key.claimed',
  schema: z.object({ requestDigest: z.string() }),
  evolve(state, id, { requestDigest }, at) {
    forgetBefore(state, Date.parse(at) - IDEMPOTENCY_HOURS * HOUR_MS);
    state.idempotencyRecords.put({ id, requestDigest, claimedAt: at, sealedAnswer: null });
  },
});

export const idempotencyKeyAnswered = eventKind({
  aggregate: KEY,
  type: 'idempotency_key.answered',
  schema: z.object({ sealedAnswer: z.string() }),
  evolve(state, id, { sealedAnswer }) {
    state.idempotencyRecords.put({ ...state.idempotencyRecords.get(id)!, sealedAnswer });
  },
});

/** By the log's own times, so that every replica forgets the same. */
function forgetBefore(state: WritableState, instant: number): void {
  for (const { id, claimedAt } of state.idempotencyRecords.values()) {
    if (Date.parse(claimedAt) >= instant) return;
    state.idempotencyRecords.remove(id);
    state.versions.delete(aggregateKey(KEY, id));
  }
}

/** The event that goes along with what the request changes. */
export function claimIdempotencyKey(state: ControlState, id: string, requestDigest: string): ControlEvent {
  return nextEvent(state, idempotencyKeyClaimed, id, { requestDigest });
}

/** Keeps the answer to a claimed request; nothing where the claim was forgotten meanwhile. */
export const answerIdempotencyKey = commandKind({
  schema: z.strictObject({ id: z.string(), sealedAnswer: z.string() }),
  decide(state, { id, sealedAnswer }) {
    const held = state.idempotencyRecords.get(id);
    return {
      events:
        held === undefined || held.sealedAnswer !== null
          ? []
          : [nextEvent(state, idempotencyKeyAnswered, id, { sealedAnswer })],
      answer: (): { id: string } => ({ id }),
    };
  },
});
