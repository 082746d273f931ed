import { z } from 'zod';
import { HOUR_MS } from '../../durations.js';
import { commandKind } from '../domain/command.js';
import { type ControlEvent, eventKind, nextEvent } from '../domain/event.js';
import type { ControlState, WritableState } from '../domain/state.js';
import { aggregateKey } from '../domain/state.js';

/**
 * Requests with an Idempotency-Key. The claim is part of the request's decision, so no replica accepts a second decision
 * with the same key. The response is added when it is known.
 */

export const IDEMPOTENCY_HOURS = 24;

const KEY = 'idempotency_key';

export const idempotencyKeyClaimed = eventKind({
  aggregate: KEY,
  type: 'idempotency_key.claimed',
  schema: z.object({ organisationId: z.string(), requestDigest: z.string() }),
  evolve(state, id, { organisationId, requestDigest }, at) {
    forgetBefore(state, Date.parse(at) - IDEMPOTENCY_HOURS * HOUR_MS);
    const record = { id, organisationId, requestDigest, claimedAt: at, sealedAnswer: null };
    state.idempotencyRecords.put(record);
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

/** Uses the log's times, so that every replica forgets the same records. */
function forgetBefore(state: WritableState, instant: number): void {
  for (const { id, claimedAt } of state.idempotencyRecords.values()) {
    if (Date.parse(claimedAt) >= instant) return;
    state.idempotencyRecords.remove(id);
    state.versions.delete(aggregateKey(KEY, id));
  }
}

/** The claim, for the same decision as the other events of the request. */
export function claimIdempotencyKey(
  state: ControlState,
  id: string,
  claim: { readonly organisationId: string; readonly requestDigest: string },
): ControlEvent {
  return nextEvent(state, idempotencyKeyClaimed, id, claim);
}

/** Limit for an organisation's answers within the 24 hours, since each process has them in memory. The answer for a large segment has 80,000. */
export const MOST_ANSWER_CHARACTERS = 10_000_000;

function hasRoom(state: ControlState, organisationId: string, answer: string): boolean {
  const records = state.idempotencyRecords.by('organisationId', organisationId);
  const kept = records.reduce((sum, { sealedAnswer }) => sum + (sealedAnswer?.length ?? 0), 0);
  return kept + answer.length <= MOST_ANSWER_CHARACTERS;
}

/**
 * Keeps the answer to a claimed request, unless the claim has expired or the limit is reached. Without it, a repeated request still
 * changes nothing, and reports that the answer is lost.
 */
export const answerIdempotencyKey = commandKind({
  schema: z.strictObject({ id: z.string(), sealedAnswer: z.string() }),
  decide(state, { id, sealedAnswer }) {
    const held = state.idempotencyRecords.get(id);
    return {
      events:
        held === undefined || held.sealedAnswer !== null || !hasRoom(state, held.organisationId, sealedAnswer)
          ? []
          : [nextEvent(state, idempotencyKeyAnswered, id, { sealedAnswer })],
      answer: (): { id: string } => ({ id }),
    };
  },
});
