import { SECOND_MS } from '../../../../shared/durations.js';
import { readRetryAfter } from '../../../../shared/fetch/retry-after.js';

/** The rate limit of a crawl's requests. The whole website has one pace, as its hosts are usually one server. */
export interface Pace {
  /** Resolves when the next request may start, one caller after the other. @throws the signal's reason */
  turn(signal: AbortSignal): Promise<void>;
  /** The website requests so many milliseconds between two requests; bounded. */
  ask(ms: number): void;
  /** Reports a normal response. */
  went(): void;
  /** Reports a 429 or 503 response. @param retryAfter the header. @returns the number of such responses in a row */
  throttled(retryAfter: string | null): number;
}

/** The longest delay that a website may request. A crawl with longer ones would never end. */
const LONGEST_DELAY_MS = 10 * SECOND_MS;
const LONGEST_HOLD_MS = 120 * SECOND_MS;
const FIRST_HOLD_MS = 5 * SECOND_MS;
const SLOWEST = 8;
/** Normal responses after which the pace doubles again. */
const FASTER_AFTER = 20;

export interface PaceParts {
  readonly requestsPerSecond: number;
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

export function createPace({ requestsPerSecond, now, pause }: PaceParts): Pace {
  let interval = SECOND_MS / requestsPerSecond;
  let slowness = 1;
  let next = Number.NEGATIVE_INFINITY;
  let throttledInRow = 0;
  let goodInRow = 0;
  let queue: Promise<void> = Promise.resolve();

  async function wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // A new hold may have come meanwhile.
    for (let ms = next - now(); ms > 0; ms = next - now()) await pause(ms, signal);
    next = now() + interval * slowness;
  }

  return {
    turn(signal) {
      const mine = queue.then(() => wait(signal));
      queue = mine.catch(() => {});
      return mine;
    },
    ask(ms) {
      interval = Math.max(interval, Math.min(ms, LONGEST_DELAY_MS));
    },
    went() {
      throttledInRow = 0;
      goodInRow += 1;
      if (goodInRow % FASTER_AFTER === 0) slowness = Math.max(1, slowness / 2);
    },
    throttled(retryAfter) {
      goodInRow = 0;
      const usual = FIRST_HOLD_MS * 2 ** Math.min(throttledInRow, 10);
      next = Math.max(next, now() + Math.min(readRetryAfter(retryAfter, now()) ?? usual, LONGEST_HOLD_MS));
      slowness = Math.min(SLOWEST, slowness * 2);
      throttledInRow += 1;
      return throttledInRow;
    },
  };
}
