import { mkdirSync, writeSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Engine, openEngine } from './engine.js';
import type { EngineMessage, EngineStart } from './engine-messages.js';
import { createHttpFront } from './http-front.js';
import { findTokenFaults, mendTokenLogs, type TokenLogFault } from './orphan-tokens.js';
import { SESSIONS } from './session-pool.js';
import { openSpool } from './spool.js';

/**
 * The engine's process. The first message of its parent names the directory to open. The process answers with its port, and
 * ends on a second message or when the parent ends.
 */

const MAX_QUEUED = 256;
/** Without a limit, a statement that its client has abandoned would occupy its session forever. */
const READ_LIMIT_SECONDS = 300;
/** Much longer than one block takes, and longer than any pause of a busy machine. */
const READ_GRACE_MS = 15_000;
const LAST_ANSWERS_MS = 3_000;
/** Threads of each insert, which compute its views in parallel (`parallel_view_processing`, shared/store/client.ts). Each view has its groups in memory. */
const INSERT_THREADS = Math.min(4, availableParallelism());
const CONFIGURATION = fileURLToPath(new URL('./engine.xml', import.meta.url));

process.once('message', (start: EngineStart) => {
  process.title = 'loglane-clickhouse';
  process.umask(0o077);
  try {
    serve(start);
  } catch (error) {
    tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    process.disconnect?.();
    process.exit(1);
  }
});

function serve(start: EngineStart): void {
  mkdirSync(start.directory, { recursive: true, mode: 0o700 });
  const engine = openEngine({
    directory: start.directory,
    sessions: SESSIONS,
    maxQueued: MAX_QUEUED,
    serverArguments: serverArguments(start.maxMemoryBytes),
    onOverrun: () => end('a read exceeded its time limit and cannot be interrupted; ending the engine'),
    onFailedWrite() {
      // The engine would drop the repeated insert. The next start removes the token.
      if (findTokenFaults(start.directory).length > 0)
        end('an insert failed between its token and its rows; ending the engine');
    },
  });
  // The engine has locked the directory, so no other engine writes to it.
  const faults = findTokenFaults(start.directory);
  if (faults.length > 0) {
    startAgainWithout(faults);
    return;
  }
  const memory = { max_memory_usage: String(Math.floor(start.maxMemoryBytes * 0.8)) };
  const server = createHttpFront({
    engine,
    // The engine has locked the directory, so the files belong to no other engine.
    spool: openSpool(join(start.directory, 'incoming')),
    credentials: start.credentials,
    defaults: {
      read: { ...memory, max_execution_time: String(READ_LIMIT_SECONDS) },
      write: memory,
      insert: {
        ...memory,
        max_threads: String(INSERT_THREADS),
        // By default the engine needs 1 GiB of free memory for each thread of a statement. Commands and reads therefore run with one thread,
        // which leaves the cores to inserts.
        max_threads_min_free_memory_per_thread: '0',
        // Each insert analyses the queries of its views again. The older analyzer saves 5 % of the CPU of an insert of 40,000 rows.
        enable_analyzer: '0',
      },
    },
    readGraceMs: start.readGraceMs ?? READ_GRACE_MS,
    maxBodyBytes: 256 * 1024 ** 2,
  });
  server.once('error', (error) => {
    tell({ kind: 'failed', reason: error.message });
    process.exit(1);
  });
  server.listen(start.port, '127.0.0.1', () => {
    tell({ kind: 'listening', port: (server.address() as AddressInfo).port });
  });

  const stop = () => void stopServing(server, engine);
  process.once('message', stop);
  // The parent has ended. Its running statements were not acknowledged, and the next process needs the directory now.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Ctrl-C in a terminal also signals this process. The parent decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
}

/** Repairs the logs and ends the process, since the opened engine has read the logs before the repair. */
function startAgainWithout(faults: readonly TokenLogFault[]): void {
  mendTokenLogs(faults);
  const orphans = faults.flatMap((fault) => fault.orphans.map(({ part }) => part));
  process.send?.({ kind: 'mended', orphans } satisfies EngineMessage, () =>
    process.kill(process.pid, 'SIGKILL'),
  );
}

/** Ends the process at once. Running statements get no answer, and their callers repeat them. */
function end(reason: string): void {
  writeSync(2, `${reason}\n`);
  process.kill(process.pid, 'SIGKILL');
}

function serverArguments(maxMemoryBytes: number): string[] {
  const cacheBytes = 32 * 1024 ** 2;
  return [
    `--config-file=${CONFIGURATION}`,
    `--max_server_memory_usage=${maxMemoryBytes}`,
    `--mark_cache_size=${cacheBytes}`,
    `--index_mark_cache_size=${cacheBytes}`,
    `--primary_index_cache_size=${cacheBytes}`,
    '--uncompressed_cache_size=0',
  ];
}

async function stopServing(server: Server, engine: Engine): Promise<void> {
  const closed = new Promise<'closed'>((resolve) => server.close(() => resolve('closed')));
  await engine.close();
  // The last answers are still being sent; kept-alive connections become idle afterwards.
  const deadline = sleep(LAST_ANSWERS_MS, 'late' as const);
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  await Promise.race([closed, deadline]);
  clearInterval(sweep);
  process.exit(0);
}

function tell(message: EngineMessage): void {
  process.send?.(message);
}
