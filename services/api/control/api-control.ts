import type { Organisation, StoredApiKey } from '../../../shared/control/domain/model.js';

/** Who calls: an API key and the organisation it belongs to. */
export interface Caller {
  readonly organisation: Organisation;
  readonly apiKey: StoredApiKey;
}

/** Somebody at the console; anything else is a program with a key. */
export const isSession = ({ apiKey }: Caller) => apiKey.kind === 'session';

/** What goes with the command of a write; made by the request pipeline for each call. */
export interface Write {
  readonly caller: Caller;
  /** null: the write concerns the organisation, and so all of its websites. */
  readonly websiteId: string | null;
  /** The caller's Idempotency-Key, taken with whatever the command changes; null without one. */
  readonly idempotency: IdempotencyClaim | null;
}

export interface IdempotencyClaim {
  /** Hash that identifies key and caller without revealing them. */
  readonly id: string;
  /** Tells one request from another. */
  readonly requestDigest: string;
}
