import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends a child together with this process. Vitest ends its workers without a signal, and a suite may be
 * killed: a shell waits for the end of our pipe, and then sends SIGKILL to the child.
 * @param folders removed afterwards
 */
export function endWithThisProcess(child: ChildProcess, ...folders: readonly string[]): void {
  const command = 'read -r _; kill -9 "$0"; [ $# -eq 0 ] || rm -rf "$@"';
  const guard = spawn('sh', ['-c', command, String(child.pid), ...folders], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A terminal's Ctrl-C is for the suite; the guard must survive it.
    detached: true,
  });
  guard.unref();
  // The process id may be reused.
  child.once('exit', () => guard.kill('SIGKILL'));
}
