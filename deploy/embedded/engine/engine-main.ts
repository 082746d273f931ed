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
import { openSpool } from './spool.js';

/**
 * The engine's own process. It is told what to open by its parent's first message, answers with the port it
 * listens on, and ends when the parent asks or goes away.
 */

/** Sessions by what they run. There are more threads than sessions (LIBUV_THREADS in start-engine.ts), so that compression gets one, too. */
const SESSIONS = { reader: 4, scanner: 2, writer: 2 };
const MAX_QUEUED = 256;
/** Past its own limit a statement that a client forgot would hold its session for ever. */
const READ_LIMIT_SECONDS = 300;
/** A block takes a fraction of it; longer than any pause of a machine that is only busy. */
const READ_GRACE_MS = 15_000;
const LAST_ANSWERS_MS = 3_000;
/** Of each insert, whose views are computed side by side (`parallel_view_processing`, shared/store/client.ts); each holds what it has grouped. */
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
    onOverrun: () => end('a read ran far past its time limit and cannot be interrupted; ending the engine'),
    onFailedWrite() {
      // The engine would drop the repeat. The start after this takes the token out.
      if (findTokenFaults(start.directory).length > 0)
        end('an insert failed between its token and its rows; ending the engine');
    },
  });
  // After the engine has locked the directory: another one may still write in it otherwise.
  const faults = findTokenFaults(start.directory);
  if (faults.length > 0) {
    startAgainWithout(faults);
    return;
  }
  const memory = { max_memory_usage: String(Math.floor(start.maxMemoryBytes * 0.8)) };
  const server = createHttpFront({
    engine,
    // After the engine has locked the directory: these files are another engine's otherwise.
    spool: openSpool(join(start.directory, 'incoming')),
    credentials: start.credentials,
    defaults: {
      read: { ...memory, max_execution_time: String(READ_LIMIT_SECONDS) },
      write: memory,
      insert: {
        ...memory,
        max_threads: String(INSERT_THREADS),
        // By default the engine wants a gibibyte of free memory for each thread of a statement, and takes one thread where it has less than two. So
        // commands and reads have one, which leaves the cores to inserts.
        max_threads_min_free_memory_per_thread: '0',
        // A view's query is analysed anew with each insert. The older analyzer does it in less CPU: an insert of 40,000 rows takes 5 % less for statements.
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
  // The parent is dead. What it had running was not acknowledged, and its successor needs the directory now.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // A terminal's Ctrl-C reaches this process too; the parent decides.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
}

/** Ends the process after mending the logs: the engine that it has opened has read them as they were. */
function startAgainWithout(faults: readonly TokenLogFault[]): void {
  mendTokenLogs(faults);
  const orphans = faults.flatMap((fault) => fault.orphans.map(({ part }) => part));
  process.send?.({ kind: 'mended', orphans } satisfies EngineMessage, () =>
    process.kill(process.pid, 'SIGKILL'),
  );
}

/** Ends the process at once: what is under way gets no answer, and its callers repeat it. */
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
  // The last answers are still on their way; kept-alive connections turn idle behind them.
  const deadline = sleep(LAST_ANSWERS_MS, 'late' as const);
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  await Promise.race([closed, deadline]);
  clearInterval(sweep);
  process.exit(0);
}

function tell(message: EngineMessage): void {
  process.send?.(message);
}
