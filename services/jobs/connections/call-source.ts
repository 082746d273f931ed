import type { z } from 'zod';
import { SECOND_MS } from '../../../shared/durations.js';
import { doublingDelay } from '../../../shared/pacing/doubling-delay.js';
import { pause } from '../../../shared/pacing/pause.js';
import { SourceError } from './source-error.js';

const ATTEMPTS = 5;
const CALL_TIMEOUT_MS = 60 * SECOND_MS;

/** Waits between calls; tests pass a shorter one. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Makes a call, and retries with backoff if the service limits calls or is unavailable.
 * @throws SourceError the last one; the signal's reason
 */
export async function callSource<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
  wait: Wait = pause,
): Promise<Answer> {
  const nextDelay = doublingDelay({ firstMs: SECOND_MS, longestMs: 30 * SECOND_MS });
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await call(AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]));
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof SourceError ? error : new SourceError('unavailable', messageOf(error));
      if (failure.reason === 'refused' || attempt === ATTEMPTS) throw failure;
    }
    await wait(nextDelay(), signal);
  }
}

/** Validates the answer against its documented form. @throws SourceError if it differs */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const at = read.error.issues[0]?.path.join('.') ?? '';
  throw new SourceError(
    'unavailable',
    `the service returned an undocumented answer (at ${at.slice(0, 100)})`,
  );
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
