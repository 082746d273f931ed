import type { Registry } from 'prom-client';
import type { Config } from '../config.js';
import type { Logger } from '../logging/log.js';

/** The configuration with these variables known to be there. */
export type ConfigWith<Name extends keyof Config> = Config & {
  readonly [Each in Name]-?: NonNullable<Config[Each]>;
};

/** What a composition of parts gets from the process that it runs in. */
export interface Service<Needs extends keyof Config = never> {
  readonly config: ConfigWith<Needs>;
  readonly logger: Logger;
  /** Holds the process's own metrics already. */
  readonly registry: Registry;
  /** Aborted by the first signal to stop: nothing more is waited for, readiness falls. */
  readonly stopping: AbortSignal;
  /** Called when the process stops, the last that was added first. */
  onStop(undo: () => Promise<void>): void;
  /** The state is not to be trusted any more; what was answered is in the log. The process ends. */
  onCrash(error: Error): void;
  /** Milliseconds since the epoch. */
  now(): number;
  randomBytes(count: number): Buffer;
  newId(): string;
}
