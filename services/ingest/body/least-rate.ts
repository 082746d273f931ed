import { PublicError } from '../../../shared/errors.js';

/**
 * The least rate of a body. A sender starts with the whole grace time. Waiting for the sender uses it up, and each
 * received byte returns its time at the least rate. So a pause may be as long as the grace, and over longer times the
 * average counts. Time in which the log or our own limits delay the upload does not count.
 */

export interface LeastRate {
  readonly bytesPerSecond: number;
  readonly graceMs: number;
}

export interface Patience {
  /**
   * Waits for the sender's next bytes.
   * @throws PublicError (408) if the grace ends before
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
        // After a pause of this process the bytes may be in the socket. They are read before the answer.
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
    `The body arrived at less than ${bytesPerSecond} bytes a second; \`accepted\` requests of it are stored. Send smaller batches.`,
    { fields: { reason: 'too_slow' } },
  );
}
