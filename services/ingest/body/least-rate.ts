import { PublicError } from '../../../shared/errors.js';

/**
 * The least rate at which a body must come. A sender starts with the whole grace; waiting for it uses the grace up, and each
 * byte gives back what it may take at the least rate. So a pause may be as long as the grace, and over longer stretches
 * the average counts. Only waiting for the sender counts: while the log or a bound of ours holds the upload up, nothing is used.
 */

export interface LeastRate {
  readonly bytesPerSecond: number;
  readonly graceMs: number;
}

export interface Patience {
  /**
   * Waits for what the sender sends next.
   * @throws PublicError (408) where the grace ends before.
   */
  waitFor<T>(next: Promise<T>): Promise<T>;
  received(bytes: number): void;
}

export function createPatience({ bytesPerSecond, graceMs }: LeastRate): Patience {
  let left = graceMs;
  return {
    async waitFor(next) {
      const from = performance.now();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        // After a pause of our own process the bytes may lie in the socket: they are read before the answer.
        timer = setTimeout(() => setImmediate(reject, tooSlow(bytesPerSecond)), Math.max(0, left));
      });
      try {
        return await Promise.race([next, late]);
      } finally {
        clearTimeout(timer);
        left -= performance.now() - from;
      }
    },
    received(bytes) {
      left = Math.min(graceMs, left + (bytes * 1_000) / bytesPerSecond);
    },
  };
}

function tooSlow(bytesPerSecond: number): PublicError {
  return new PublicError(
    'request_timeout',
    `The body came at less than ${bytesPerSecond} bytes a second; \`accepted\` requests of it are stored. Send smaller batches.`,
    { fields: { reason: 'too_slow' } },
  );
}
