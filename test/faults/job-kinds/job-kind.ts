import type { JobWebsite, JobWorld } from '../job-world.js';

/** A kind of job for the suite that kills its process: one file each, and a line in list.ts. */

export interface JobKind {
  readonly name: string;
  /** Prepares its websites before any worker runs. */
  prepare?(world: JobWorld, websites: readonly JobWebsite[]): Promise<void>;
  begin(world: JobWorld, website: JobWebsite): Promise<void>;
  /** Whether a worker has begun it. */
  hasBegun(world: JobWorld, website: JobWebsite): Promise<boolean>;
  /** Its stored result, without ids and times: equal for any number of kills. */
  result(world: JobWorld, website: JobWebsite): Promise<unknown>;
  /** Paths of the files that must exist when it is done; default: none. */
  files?(world: JobWorld, website: JobWebsite): Promise<readonly string[]>;
  /** Expected `result` when it is done. */
  readonly done: object;
}
