import { readFileSync } from 'node:fs';
import type { Database } from 'lmdb';

/**
 * One process at a time owns a log's directory. The owner is a row in the store, written in a transaction. LMDB's
 * writer lock is a robust mutex that the kernel frees when its process ends. So two processes can't both become
 * owner, and no partly written lock file can remain.
 *
 * Process id and start time identify a process, so a reused id of an ended owner does not block the log. All
 * processes must run in one host or container: as with LMDB, a directory shared between hosts is not supported.
 */

interface Owner {
  readonly pid: number;
  /** Start time in the kernel's unit; null without /proc. */
  readonly started: string | null;
}

const OWNER = ['owner'];

/** A running process uses the directory. The message has one line. */
class EventLogInUseError extends Error {}

/**
 * Makes this process the owner of the store; replaces an ended owner.
 * @returns a function that ends the ownership
 * @throws EventLogInUseError
 */
export function takeOwnership(state: Database<unknown, string[]>, directory: string): () => void {
  const self: Owner = { pid: process.pid, started: processState(process.pid)?.started ?? null };
  state.transactionSync(() => {
    const owner = state.get(OWNER) as Owner | undefined;
    if (owner && isAlive(owner)) {
      const who = owner.pid === process.pid ? 'this process' : `process ${owner.pid}`;
      throw new EventLogInUseError(`event log: ${directory} is in use by ${who}`);
    }
    state.putSync(OWNER, self);
  });
  return () => {
    state.removeSync(OWNER);
  };
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: the process is running as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const seen = processState(owner.pid);
  if (!seen) return true;
  // A zombie accepts signals until its parent waits for it. In a container this may never happen.
  return !seen.zombie && (owner.started === null || owner.started === seen.started);
}

/** From /proc/<pid>/stat (proc(5)): field 3 is the state, field 22 the start time. The name before them may contain spaces. */
function processState(pid: number): { zombie: boolean; started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { zombie: fields[0] === 'Z' || fields[0] === 'X', started: fields[19] ?? '' };
  } catch {
    return null;
  }
}
