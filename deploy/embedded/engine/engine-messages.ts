import type { Credentials } from './authentication.js';

/** First message to the engine's process; any later one asks it to stop. */
export interface EngineStart {
  readonly directory: string;
  /** 0: any free one. */
  readonly port: number;
  readonly credentials: Credentials;
  /** Most that the engine may hold, caches and all statements together. */
  readonly maxMemoryBytes: number;
  /** How long past its limit a read may run before the engine ends itself. */
  readonly readGraceMs?: number;
}

export type EngineMessage =
  | { readonly kind: 'listening'; readonly port: number }
  /** It ends, and is to be started again: it has taken tokens without rows out of the logs, which it had read already. */
  | { readonly kind: 'mended'; readonly orphans: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string };
