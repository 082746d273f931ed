import { bar, CLEAR_LINE } from '../../import/bar.js';
import type { Output } from '../context.js';

/** Progress on standard error: one line that changes on a terminal, nothing elsewhere. */
export interface ProgressBar {
  show(done: number, total: number | null): void;
  /** Prints the state of the work; on a terminal it replaces the bar. */
  say(text: string): void;
  stop(): void;
}

export function createProgressBar({
  name,
  output,
  quiet,
}: {
  readonly name: string;
  readonly output: Output;
  readonly quiet: boolean;
}): ProgressBar {
  const isShown = !quiet && output.isTTY === true;
  let isDrawn = false;
  let said = '';
  const draw = (text: string) => {
    isDrawn = true;
    output.write(`${CLEAR_LINE}${text}`);
  };
  return {
    show(done, total) {
      if (isShown) draw(`${name} ${progressOf(done, total)}`);
    },
    say(text) {
      if (isShown) draw(text);
      // Without a terminal one line is enough: the first.
      else if (!quiet && said === '') output.write(`${text}\n`);
      said = text;
    },
    stop() {
      if (isDrawn) output.write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

function progressOf(done: number, total: number | null): string {
  return total === null || total <= 0 ? `${done}` : `${bar(done / total)} | ${done} of ${total}`;
}
