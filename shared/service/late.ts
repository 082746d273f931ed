import type { ControlPlane } from '../control/control-plane.js';
import { PublicError } from '../errors.js';
import type { EventLog } from '../event-log/event-log.js';

/**
 * What a listener needs but does not have yet: it answers probes from the first moment, while its dependencies are
 * still waited for. Whoever asks too early is told to come again.
 */
export interface Late<T> {
  /** @throws PublicError `unavailable` while it is not there. */
  get(): T;
  set(value: T): void;
  isThere(): boolean;
}

const RETRY_SECONDS = 5;

export function createLate<T>(): Late<T> {
  let held: { readonly value: T } | null = null;
  return {
    get() {
      if (held !== null) return held.value;
      throw new PublicError('unavailable', 'Not ready yet; repeat the call.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    },
    set(value) {
      held = { value };
    },
    isThere: () => held !== null,
  };
}

export function lateEventLog(late: Late<EventLog>): EventLog {
  return {
    append: async (topic, records) => late.get().append(topic, records),
    consume: async (options) => late.get().consume(options),
    tail: async (options) => late.get().tail(options),
    committed: async (topic, group) => late.get().committed(topic, group),
    offsets: async (topic) => late.get().offsets(topic),
    close: async () => late.get().close(),
  };
}

export function lateControlPlane(late: Late<ControlPlane>): ControlPlane {
  return {
    state: () => late.get().state(),
    execute: async (command, actor, extraEvents) => late.get().execute(command, actor, extraEvents),
    close: async () => late.get().close(),
  };
}
