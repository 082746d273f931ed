import type { JobWebsite, JobWorld } from '../job-world.js';

/** What a kind of job tells the suite that kills its process: a file each, and a line in list.ts. */

export interface JobKind {
  readonly name: string;
  /** Of its websites, before any worker runs. */
  prepare?(world: JobWorld, websites: readonly JobWebsite[]): Promise<void>;
  begin(world: JobWorld, website: JobWebsite): Promise<void>;
  /** Whether a worker is at it, or was. */
  hasBegun(world: JobWorld, website: JobWebsite): Promise<boolean>;
  /** What stands of it, without ids and instants: the same however often its process was killed. */
  result(world: JobWorld, website: JobWebsite): Promise<unknown>;
  /** Paths of the files that it has to leave when it is done; default: none. */
  files?(world: JobWorld, website: JobWebsite): Promise<readonly string[]>;
  /** What `result` holds when it is done. */
  readonly done: object;
}
