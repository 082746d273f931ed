import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

const SHUTDOWN_TIMEOUT_MS = 500;
/** Far longer than any test takes; the process is then killed. */
const HANGS_AFTER_MS = 20_000;

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const step of cleanUp.splice(0)) step();
});

/**
 * `broken`: a pipe whose reader is gone; `full`: a pipe whose reader never reads; `failing`: every write is an error.
 */
type State = 'broken' | 'full' | 'failing';

/** Linux's device on which every write fails as on a full disk. */
const FULL_DISK = '/dev/full';

/** The file descriptor for a child's output. */
function openOutput(state: State): number {
  if (state === 'failing') return openSync(FULL_DISK, 'w');
  const folder = mkdtempSync(join(tmpdir(), 'loglane-output-'));
  cleanUp.push(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  // A pipe opens for writing only if it has a reader.
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  if (state === 'broken') closeSync(reader);
  else cleanUp.push(() => closeSync(reader));
  return writer;
}

async function run(
  state: State,
  { ending = 'drains', end }: { ending?: string; end: 'SIGTERM' | 'crash' | 'throw' },
): Promise<number | null> {
  // Separate, as in a container.
  const [output, errors] = [openOutput(state), openOutput(state)];
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/harness/stalled-output.ts', ending], {
    stdio: ['ignore', output, errors, 'ipc'],
    env: {
      ...process.env,
      LOG_LEVEL: 'info',
      METRICS_PORT: '0',
      SHUTDOWN_TIMEOUT_MS: String(SHUTDOWN_TIMEOUT_MS),
    },
  });
  closeSync(output);
  closeSync(errors);
  const guard = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS);
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const printed = (wanted: string) =>
    new Promise<void>((resolve) => {
      child.on('message', (message) => message === wanted && resolve());
      child.once('exit', () => resolve());
    });
  await printed('ready');
  // The event loop runs although no log line can be written.
  await printed('alive');
  if (end === 'SIGTERM') child.kill('SIGTERM');
  else child.send(end);
  const code = await exited;
  clearTimeout(guard);
  return code;
}

// Real processes: each may take some seconds to load.
const states: State[] = existsSync(FULL_DISK) ? ['broken', 'full', 'failing'] : ['broken', 'full'];
describe.each(states)('with a standard output that is %s', { timeout: 60_000 }, (state) => {
  test('a process that drains exits with 0', async () => {
    expect(await run(state, { end: 'SIGTERM' })).toBe(0);
  });

  test('a process that does not drain ends at its deadline, with 1', async () => {
    expect(await run(state, { ending: 'stuck', end: 'SIGTERM' })).toBe(1);
  });

  test('a process that crashes ends with 1', async () => {
    expect(await run(state, { end: 'crash' })).toBe(1);
  });

  test('a process with an uncaught error ends with 1', async () => {
    expect(await run(state, { end: 'throw' })).toBe(1);
  });
});
