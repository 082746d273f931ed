import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Vitest ends its workers without a word, and a suite may be killed: a shell waits for the end of our pipe, and ends the child
 * then, with SIGKILL.
 * @param folders removed after it.
 */
export function endWithThisProcess(child: ChildProcess, ...folders: readonly string[]): void {
  const command = 'read -r _; kill -9 "$0"; [ $# -eq 0 ] || rm -rf "$@"';
  const guard = spawn('sh', ['-c', command, String(child.pid), ...folders], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A terminal's Ctrl-C is for the suite; the guard is there for what comes after.
    detached: true,
  });
  guard.unref();
  // The number may be given away again.
  child.once('exit', () => guard.kill('SIGKILL'));
}
