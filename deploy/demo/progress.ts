import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  add(lines: number): void;
  stop(): void;
}

/** A bar on a terminal; elsewhere a line for every tenth. */
export function createProgress(total: number, output: NodeJS.WriteStream): Progress {
  return output.isTTY ? bar(total, output) : lines(total, output);
}

function bar(total: number, stream: NodeJS.WriteStream): Progress {
  const single = new SingleBar(
    { stream, format: '{bar} {percentage} % | {value} of about {total} requests | {duration_formatted}' },
    Presets.shades_classic,
  );
  single.start(total, 0);
  let sent = 0;
  return {
    add(count) {
      sent += count;
      single.update(Math.min(sent, total));
    },
    stop() {
      single.setTotal(Math.max(sent, 1));
      single.update(sent);
      single.stop();
    },
  };
}

function lines(total: number, output: NodeJS.WriteStream): Progress {
  let sent = 0;
  let told = 0;
  return {
    add(count) {
      sent += count;
      const tenths = Math.min(10, Math.floor((10 * sent) / total));
      if (tenths <= told) return;
      told = tenths;
      output.write(`${tenths * 10} % sent (${sent} requests)\n`);
    },
    stop() {},
  };
}
