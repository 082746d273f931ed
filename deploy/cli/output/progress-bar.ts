import type { Output } from '../context.js';

/** Progress on standard error: one line that changes on a terminal, nothing elsewhere. */
export interface ProgressBar {
  show(done: number, total: number | null): void;
  /** Prints the state of the work; on a terminal it replaces the bar. */
  say(text: string): void;
  stop(): void;
}

const WIDTH = 24;
const CLEAR = '\r\u001b[K';

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
    output.write(`${CLEAR}${text}`);
  };
  return {
    show(done, total) {
      if (isShown) draw(`${name} ${bar(done, total)}`);
    },
    say(text) {
      if (isShown) draw(text);
      // Without a terminal one line is enough: the first.
      else if (!quiet && said === '') output.write(`${text}\n`);
      said = text;
    },
    stop() {
      if (isDrawn) output.write(CLEAR);
      isDrawn = false;
    },
  };
}

/** `████░░░░ 40 % | 400 of 1000` */
function bar(done: number, total: number | null): string {
  if (total === null || total <= 0) return `${done}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(share * 100)} % | ${done} of ${total}`;
}
