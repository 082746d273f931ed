import { Presets, SingleBar } from 'cli-progress';

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
  readonly output: NodeJS.WriteStream;
  /** Milliseconds of any clock. */
  readonly now: () => number;
}

const EVERY_MS = 5_000;
const BAR_EVERY_MS = 250;

/** Shows a bar on a terminal; otherwise prints a line every five seconds. */
export function createProgress({ name, size, output, now }: ProgressOptions): Progress {
  const started = now();
  const done = { bytes: 0, lines: 0 };
  const total = Math.max(size ?? 0, 1);
  const bar =
    output.isTTY && size !== null
      ? new SingleBar(
          { stream: output, format: `${name} {bar} {percentage} % | {told}`, clearOnComplete: true },
          Presets.shades_classic,
        )
      : null;
  bar?.start(total, 0, { told: '' });
  const show = () => {
    if (bar !== null) bar.update(Math.min(done.bytes, total), { told: tell(done, null, now() - started) });
    else output.write(`${name}: ${tell(done, size, now() - started)}\n`);
  };
  const timer = setInterval(show, bar === null ? EVERY_MS : BAR_EVERY_MS);
  return {
    bytes(read) {
      done.bytes += read;
    },
    lines(count) {
      done.lines += count;
    },
    say(text) {
      output.write(bar === null ? `${text}\n` : `\r\u001b[K${text}\n`);
    },
    stop() {
      clearInterval(timer);
      bar?.stop();
    },
  };
}

/** @param size null: the percentage is omitted */
function tell(
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
