import type { Registry } from 'prom-client';
import type { Config } from '../config.js';
import type { Logger } from '../logging/log.js';

/** The configuration with these variables present. */
export type ConfigWith<Name extends keyof Config> = Config & {
  readonly [Each in Name]-?: NonNullable<Config[Each]>;
};

/** Facilities that a process provides to its parts. */
export interface Service<Needs extends keyof Config = never> {
  readonly config: ConfigWith<Needs>;
  readonly logger: Logger;
  /** Already has the process's own metrics. */
  readonly registry: Registry;
  /** Aborted by the first stop signal: waiting ends, and the process is no longer ready. */
  readonly stopping: AbortSignal;
  /** Called when the process stops, in reverse order of registration. */
  onStop(undo: () => Promise<void>): void;
  /** Reports that the state is invalid; acknowledged data is in the log. The process ends. */
  onCrash(error: Error): void;
  /** Milliseconds since the epoch. */
  now(): number;
  randomBytes(count: number): Buffer;
  newId(): string;
}
