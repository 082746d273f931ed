import { createLimiter } from '../../../shared/pacing/limiter.js';
import { MOST_WAIT_MS, refusal, WAITING, waitInTime } from './wait-in-time.js';

/**
 * Concurrent answers of one organisation that are being made. Their reads take turns. If more could begin, all would be refused for the
 * reads of the others before one is finished.
 */
const MOST_OF_ORGANISATION = 16;
/** Rough duration of an answer that waits for the reads of others. */
const ANSWER_MS = 1_000;

/**
 * Makes an answer when fewer than {@link MOST_OF_ORGANISATION} of the organisation are being made.
 * @throws PublicError (503) if it waits too long, ReadEndedError if the signal fires first; as `make`
 */
export type RunCall = <Made>(
  organisationId: string,
  make: () => Promise<Made>,
  signal: AbortSignal,
) => Promise<Made>;

/** Limits the answers that are being made, of each organisation. Their reads have limits of their own (share-reads.ts). */
export function shareCalls(): RunCall {
  const tooMuch = (organisationId: string) =>
    refusal((calls.waitingOf(organisationId) * ANSWER_MS) / MOST_OF_ORGANISATION);
  const calls = createLimiter({
    most: Number.POSITIVE_INFINITY,
    mostOfOwner: MOST_OF_ORGANISATION,
    waiting: WAITING,
    full: tooMuch,
  });
  return async (organisationId, make, signal) => {
    const leave =
      calls.tryEnter(organisationId) ??
      (await waitInTime((end) => calls.enter(organisationId, end), {
        ...{ mostMs: MOST_WAIT_MS, late: () => tooMuch(organisationId), signal },
      }));
    try {
      return await make();
    } finally {
      leave();
    }
  };
}
