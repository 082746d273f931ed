import { writeSync } from 'node:fs';

/**
 * Lines to a file descriptor that may break or stall, standard output above all: neither may end the process, keep it from
 * ending, or hold the event loop up. Node's own stream waits for the reader of a pipe; pino's retries for ever when the
 * process exits.
 */
export interface LineWriter {
  /** Returns at once. A line that finds no room is dropped; what was dropped is told when there is room again. */
  write(text: string): void;
}

export interface LineWriterOptions {
  /** Writes what fits and returns its bytes; throws as `fs.writeSync` does. */
  readonly writeBytes: (bytes: Buffer) => number;
  /** What stands for so many lines that were dropped; with its line feed. */
  readonly dropped: (lines: number) => string;
  readonly onExit: (flush: () => void) => void;
  /** Bytes that wait for the reader at most. */
  readonly maxWaiting?: number;
}

const MAX_WAITING_BYTES = 1024 ** 2;
const RETRY_MS = 50;
/** A reader that is only slow gets the last lines; one that has stopped delays the exit by this. */
const EXIT_ATTEMPTS = 10;
const EXIT_PAUSE_MS = 20;

const BUSY = new Set(['EAGAIN', 'EBUSY', 'EINTR']);
/** Nobody reads there any more, and nobody will. */
const BROKEN = new Set(['EPIPE', 'EBADF', 'ECONNRESET', 'ENOTCONN', 'ESHUTDOWN', 'ERR_STREAM_DESTROYED']);

export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { writeBytes, dropped, onExit, maxWaiting = MAX_WAITING_BYTES } = options;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let droppedLines = 0;
  let broken = false;
  let timer: NodeJS.Timeout | undefined;

  /** Writes until all is written or the reader is behind. @returns whether something still waits. */
  function drain(): boolean {
    while (waiting.length > 0) {
      const bytes = waiting[0] as Buffer;
      let written = 0;
      try {
        written = writeBytes(bytes);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (BUSY.has(code)) return true;
        broken = BROKEN.has(code);
        // Anything else, a full disk for one, may pass: these lines are lost, later ones are tried.
        droppedLines += waiting.length;
        waiting = [];
        waitingBytes = 0;
        return false;
      }
      waitingBytes -= written;
      if (written === bytes.length) waiting.shift();
      else waiting[0] = bytes.subarray(written);
    }
    return false;
  }

  function retryLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (drain()) retryLater();
    }, RETRY_MS).unref();
  }

  onExit(() => {
    for (let attempt = 0; !broken && drain() && attempt < EXIT_ATTEMPTS; attempt++) pause(EXIT_PAUSE_MS);
  });

  return {
    write(text) {
      if (broken) return;
      const bytes = Buffer.from(text);
      if (waitingBytes + bytes.length > maxWaiting) {
        droppedLines++;
        return;
      }
      if (droppedLines > 0 && waiting.length === 0) {
        const note = Buffer.from(dropped(droppedLines));
        droppedLines = 0;
        waiting.push(note);
        waitingBytes += note.length;
      }
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (timer === undefined && drain()) retryLater();
    },
  };
}

/** The process's standard output or error. */
export function lineWriterTo(
  { fd }: { readonly fd: number },
  dropped: LineWriterOptions['dropped'],
): LineWriter {
  // Node has opened it as a stream by now, and with that made a pipe answer EAGAIN instead of waiting for its reader.
  return createLineWriter({
    writeBytes: (bytes) => writeSync(fd, bytes),
    dropped,
    onExit: (flush) => void process.on('exit', flush),
  });
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
