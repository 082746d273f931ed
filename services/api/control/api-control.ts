import type { Organisation, StoredApiKey } from '../../../shared/control/domain/model.js';

/** The caller: an API key and the organisation it belongs to. */
export interface Caller {
  readonly organisation: Organisation;
  readonly apiKey: StoredApiKey;
}

/** True for a person at the console, false for a program with a key. */
export const isSession = ({ apiKey }: Caller) => apiKey.kind === 'session';

/** Context of a write's command; the request pipeline makes one for each call. */
export interface Write {
  readonly caller: Caller;
  /** null: the write concerns the organisation, and so all of its websites. */
  readonly websiteId: string | null;
  /** The caller's Idempotency-Key, claimed in the same decision; null without one. */
  readonly idempotency: IdempotencyClaim | null;
}

export interface IdempotencyClaim {
  /** Hash that identifies key and caller without revealing them. */
  readonly id: string;
  /** Identifies the request. */
  readonly requestDigest: string;
}
