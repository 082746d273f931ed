import type { Credentials } from './authentication.js';

/** First message to the engine's process. Any later message stops it. */
export interface EngineStart {
  readonly directory: string;
  /** 0: any free port. */
  readonly port: number;
  readonly credentials: Credentials;
  /** Memory limit of the engine, for caches and all statements together. */
  readonly maxMemoryBytes: number;
  /** Milliseconds that a read may exceed its limit before the engine ends itself. */
  readonly readGraceMs?: number;
}

export type EngineMessage =
  | { readonly kind: 'listening'; readonly port: number }
  /** The process ends and must be started again: it removed tokens without rows from logs that the engine had already read. */
  | { readonly kind: 'mended'; readonly orphans: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string };
