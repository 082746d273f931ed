import { readFileSync } from 'node:fs';
import type { Database } from 'lmdb';

/**
 * One process at a time owns a log's directory. The owner's name is a row in the store itself and is taken
 * in a write transaction: LMDB's writer lock (a robust mutex that the kernel frees when its holder dies)
 * lets no two starters win, and no lock file can be left behind half written.
 *
 * Processes are told apart by number and start time, so the number of a dead owner that the system has
 * given away again does not keep the log closed. They must see each other (one host, one container): a
 * directory shared between hosts is not supported, as with LMDB itself.
 */

interface Owner {
  readonly pid: number;
  /** As the kernel counts it; null where there is no /proc. */
  readonly started: string | null;
}

const OWNER = ['owner'];

/** The directory is held by a living process. The message is one line. */
class EventLogInUseError extends Error {}

/**
 * Takes the store for this process; a dead owner is replaced.
 * @returns gives it back
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
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const seen = processState(owner.pid);
  if (!seen) return true;
  // A zombie answers to signals until its parent asks for it, which in a container may be never.
  return !seen.zombie && (owner.started === null || owner.started === seen.started);
}

/** From /proc/<pid>/stat (proc(5)): field 3 is the state, field 22 the start time; the name before them may hold blanks. */
function processState(pid: number): { zombie: boolean; started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { zombie: fields[0] === 'Z' || fields[0] === 'X', started: fields[19] ?? '' };
  } catch {
    return null;
  }
}
