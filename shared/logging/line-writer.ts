import { writeSync } from 'node:fs';

/**
 * Writes lines to a file descriptor that may break or stall, such as standard output. Neither may end the process,
 * prevent its exit or block the event loop. Node's own stream waits if the reader of a pipe is slow, and pino retries for ever at exit.
 */
export interface LineWriter {
  /**
   * Returns at once. A line without room is dropped. The number of dropped lines is written when there is room again.
   */
  write(text: string): void;
}

export interface LineWriterOptions {
  /** Writes as much as fits and returns the number of bytes; throws as `fs.writeSync` does. */
  readonly writeBytes: (bytes: Buffer) => number;
  /** Line that reports dropped lines, with its line feed. */
  readonly dropped: (lines: number) => string;
  readonly onExit: (flush: () => void) => void;
  /** Most buffered bytes. */
  readonly maxWaiting?: number;
}

const MAX_WAITING_BYTES = 1024 ** 2;
const RETRY_MS = 50;
/** At exit, a slow reader still gets the last lines. A stalled reader delays the exit by 200 ms. */
const EXIT_ATTEMPTS = 10;
const EXIT_PAUSE_MS = 20;

const BUSY = new Set(['EAGAIN', 'EBUSY', 'EINTR']);
/** The reader is gone for good. */
const BROKEN = new Set(['EPIPE', 'EBADF', 'ECONNRESET', 'ENOTCONN', 'ESHUTDOWN', 'ERR_STREAM_DESTROYED']);

export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { writeBytes, dropped, onExit, maxWaiting = MAX_WAITING_BYTES } = options;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let droppedLines = 0;
  let broken = false;
  let timer: NodeJS.Timeout | undefined;

  /** Writes until the buffer is empty or the reader is slow. @returns whether lines remain. */
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
        // Other errors, such as a full disk, may be temporary: these lines are lost, later ones are tried.
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
  // Node has already opened it as a stream, so a pipe returns EAGAIN instead of blocking.
  return createLineWriter({
    writeBytes: (bytes) => writeSync(fd, bytes),
    dropped,
    onExit: (flush) => void process.on('exit', flush),
  });
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
