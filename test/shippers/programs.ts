import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { createShutdownHooks } from '../../shared/service/shutdown-hooks.js';
import { startIngestWorld } from './ingest-world.js';
import { type RunningProgram, runProgram } from './run-program.js';

/** Processes and files of a test, removed at its end. */

let hooks = createShutdownHooks();
afterEach(async () => {
  await hooks.run();
  hooks = createShutdownHooks();
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loglane-ship-'));
  hooks.add(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function run(
  command: string,
  words: readonly string[],
  environment?: Record<string, string>,
): RunningProgram {
  const program = runProgram(command, words, environment);
  hooks.add(() => program.stop());
  return program;
}

export async function startIngest() {
  const world = await startIngestWorld();
  hooks.add(() => world.stop());
  return world;
}

/** Waits until a server answers a GET of `/ready`, which no server may log. */
export async function untilAnswers(port: number, program: RunningProgram): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(1_000) });
    if (
      await answer.then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(50);
  }
  throw new Error(`no server answers on ${port}: ${program.output()}`);
}

/**
 * Waits until a program listens on a UDP port of 127.0.0.1, because earlier datagrams are lost silently. Reads `/proc/net/udp`, because a
 * test datagram would be an additional line.
 */
export async function untilListensForUdp(port: number, program: RunningProgram): Promise<void> {
  const socket = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  for (let tries = 0; tries < 600; tries++) {
    if (readFileSync('/proc/net/udp', 'latin1').includes(socket)) return;
    await sleep(50);
  }
  throw new Error(`no program listens for UDP on ${port}: ${program.output()}`);
}
