import { bar, CLEAR_LINE } from './bar.js';

/** Progress of a file: read bytes in relation to its size. */
export interface Progress {
  bytes(read: number): void;
  lines(done: number): void;
  /** Prints a line without breaking the bar. */
  say(text: string): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly name: string;
  /** Bytes; null: unknown. */
  readonly size: number | null;
  readonly output: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  /** Milliseconds of any clock. */
  readonly now: () => number;
}

const EVERY_MS = 5_000;
const BAR_EVERY_MS = 250;

/** Shows a bar on a terminal; otherwise prints a line every five seconds. */
export function createProgress({ name, size, output, now }: ProgressOptions): Progress {
  const started = now();
  const done = { bytes: 0, lines: 0 };
  const isDrawn = output.isTTY === true && size !== null;
  const show = () => {
    const line = describe(done, isDrawn ? null : size, now() - started);
    if (isDrawn) output.write(`${CLEAR_LINE}${name} ${bar(done.bytes / Math.max(size, 1))} | ${line}`);
    else output.write(`${name}: ${line}\n`);
  };
  const timer = setInterval(show, isDrawn ? BAR_EVERY_MS : EVERY_MS);
  return {
    bytes(read) {
      done.bytes += read;
    },
    lines(count) {
      done.lines += count;
    },
    say(text) {
      output.write(isDrawn ? `${CLEAR_LINE}${text}\n` : `${text}\n`);
    },
    stop() {
      clearInterval(timer);
      if (isDrawn) output.write(CLEAR_LINE);
    },
  };
}

/** @param size null: the percentage is omitted */
function describe(
  { bytes, lines }: { readonly bytes: number; readonly lines: number },
  size: number | null,
  milliseconds: number,
): string {
  const share = size === null || size === 0 ? null : Math.min(1, bytes / size);
  const left = share === null || share === 0 ? null : (milliseconds * (1 - share)) / share / 1_000;
  return [
    ...(share === null ? [] : [`${Math.floor(share * 100)} %`]),
    `${(bytes / 1e6).toFixed(1)} MB`,
    `${lines} lines`,
    `${Math.round((lines * 1_000) / Math.max(milliseconds, 1))} lines/s`,
    ...(left === null ? [] : [`${Math.ceil(left)} s left`]),
  ].join(' | ');
}
