import type { ControlPlane } from '../control/control-plane.js';
import { PublicError } from '../errors.js';
import type { EventLog } from '../event-log/event-log.js';

/**
 * A dependency that is not available yet. The listener answers probes from the start and refuses other calls until the
 * dependency is set.
 */
export interface Deferred<T> {
  /** @throws PublicError `unavailable` until it is set. */
  get(): T;
  set(value: T): void;
  isThere(): boolean;
}

const RETRY_SECONDS = 5;

export function createDeferred<T>(): Deferred<T> {
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

export function deferredEventLog(deferred: Deferred<EventLog>): EventLog {
  return {
    append: async (...given) => deferred.get().append(...given),
    consume: async (options) => deferred.get().consume(options),
    tail: async (options) => deferred.get().tail(options),
    committed: async (topic, group) => deferred.get().committed(topic, group),
    offsets: async (topic) => deferred.get().offsets(topic),
    close: async () => deferred.get().close(),
  };
}

export function deferredControlPlane(deferred: Deferred<ControlPlane>): ControlPlane {
  return {
    get wasEmpty() {
      return deferred.get().wasEmpty;
    },
    state: () => deferred.get().state(),
    execute: async (command, actor, extraEvents) => deferred.get().execute(command, actor, extraEvents),
    close: async () => deferred.get().close(),
  };
}
